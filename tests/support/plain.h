// Excludes functions from sanitizers, for code whose page faults are counted: sanitizers would touch shadow memory.
#pragma once

#ifdef __clang__
#define FAULTLINE_PLAIN __attribute__((noinline, no_sanitize("address", "thread", "undefined", "coverage")))
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__  // as GCC does
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__
#endif
#else
#define FAULTLINE_PLAIN __attribute__((noinline, no_sanitize("address", "thread", "undefined")))
#endif

namespace faultline::test {

// The shadow memory of a sanitizer faults, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitizer = true;
#else
inline constexpr bool kSanitizer = false;
#endif

// ThreadSanitizer adds a thread and memory to each process.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace faultline::test

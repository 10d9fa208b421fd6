// For code whose memory accesses are counted: sanitizers would keep notes of them in memory of their own.
#pragma once

#define FAULTLINE_PLAIN __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

namespace faultline::test {

// It has a thread, and memory beyond notes of accesses, in each process.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace faultline::test

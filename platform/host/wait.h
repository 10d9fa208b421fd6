// Waits for the first of several events: data in a pipe, a key, a signal, the end of a child.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/base/units.h"

namespace faultline {

// A file descriptor, or on Windows a waitable HANDLE. kNoHandle is never ready. Handles below it: see endOf().
using WaitHandle = std::intptr_t;
inline constexpr WaitHandle kNoHandle = -1;

// Returns when one of the handles (at most 32; further ones are ignored) is ready or closed, or after the timeout
// (absent: never; zero or less: at once). Bit n of the result is set if handles[n] is ready; 0 means timeout.
[[nodiscard]] std::uint32_t waitAny(std::span<const WaitHandle> handles, std::optional<Nanoseconds> timeout);

// What ends a wait early: when `ready` is ready, `requested` tells whether the wait ends. Empty: nothing does.
struct Interrupt {
  WaitHandle ready = kNoHandle;
  std::function<bool()> requested{};

  [[nodiscard]] bool now() const { return requested && requested(); }
};

enum class Waited { Ready, TimedOut, Interrupted };

// As waitAny() for one handle.
[[nodiscard]] Waited waitFor(WaitHandle handle, std::optional<Nanoseconds> timeout, const Interrupt& interrupt);

}  // namespace faultline

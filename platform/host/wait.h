// Waiting for whichever of a few things happens first: a pipe, a key, a signal, a child's end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/units.h"

namespace faultline {

// A file descriptor on Linux, a HANDLE of something that can be waited for on Windows; kNoHandle is never ready.
using WaitHandle = std::intptr_t;
inline constexpr WaitHandle kNoHandle = -1;

// Returns as soon as one of the (at most 32) handles is ready or has ended, or when the timeout is over (none: waits
// for ever). Bit n of the answer tells of handles[n]; 0 is a timeout. A timeout of zero or less only looks.
[[nodiscard]] std::uint32_t waitAny(std::span<const WaitHandle> handles, std::optional<Nanoseconds> timeout);

}  // namespace faultline

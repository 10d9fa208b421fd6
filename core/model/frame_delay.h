// FrameDelay: the delay that a collector has added, on request, to the ends of a frame's page faults, to find out what
// these cost the frame. The delay is no part of the time in faults. In one stretch of frames of each two faults are
// delayed; the two are a pair.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/units.h"

namespace faultline {

struct FrameDelay {
  Nanoseconds added{0};  // in all threads together; exact
  // The delay of the thread that reached the mark, and its time in waits for a futex outside faults, which mostly are
  // for other threads; absent unless it reached both marks.
  std::optional<Nanoseconds> ownAdded{};
  std::optional<Nanoseconds> ownAwaited{};
  std::uint64_t pair = 0;  // number, from 1; 0: before the first
  bool delayed = false;    // the frame is of the stretch with delays

  bool operator==(const FrameDelay&) const = default;
};

}  // namespace faultline

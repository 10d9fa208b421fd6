// Frames and judges for tests of verdicts.
#pragma once

#include "core/frames/judge.h"

namespace faultline::test {

inline GameFrame frame(Nanoseconds duration, std::uint64_t faults) {
  GameFrame frame;
  frame.number = 300;
  frame.duration = duration;
  frame.values.set(FrameMetric::MinorFaults, faults);
  return frame;
}

}  // namespace faultline::test

// Frames and judges for tests of verdicts: all faults are of the presenting thread.
#pragma once

#include "core/frames/judge.h"

namespace faultline::test {

inline GameFrame frame(Nanoseconds duration, std::uint64_t faults) {
  GameFrame frame;
  frame.number = 300;
  frame.duration = duration;
  for (const FrameMetric metric : {FrameMetric::MinorFaults, FrameMetric::ThreadMinorFaults})
    frame.values.set(metric, faults);
  return frame;
}

}  // namespace faultline::test

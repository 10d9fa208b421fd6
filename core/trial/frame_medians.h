// The frames of several runs of the same kind: the median of each figure.
#pragma once

#include <optional>
#include <vector>

#include "core/trial/sample.h"

namespace faultline {

// Means of a frame are those of FrameFigures, in ns.
struct FrameMedians {
  double frames = 0;
  double late = 0;          // share of the frames
  double lateByMemory = 0;  // the same
  double faults = 0;        // per frame
  double mean = 0;
  double p50 = 0;
  double p99 = 0;
  double low = 0;
  double processor = 0;  // per frame: of the whole run, divided by its frames
  std::optional<double> inFaults{};
  std::optional<double> inFaultsAbout{};
  std::optional<double> teardown{};
  std::optional<double> zeroedBytes{};
};

// Of the runs that have frames. Absent: none has.
[[nodiscard]] std::optional<FrameMedians> frameMedians(const std::vector<TrialSample>& samples);
[[nodiscard]] inline double processorPerFrame(const TrialSample& sample) {
  return static_cast<double>(sample.processor.count()) / static_cast<double>(sample.frames->frames);
}

}  // namespace faultline

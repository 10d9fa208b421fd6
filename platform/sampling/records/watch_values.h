// Converts the records of watch_records.h to core's types. Makes no system call.
#pragma once

#include <vector>

#include "core/marks/joiner.h"
#include "core/model/fault_sample.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

// The numbers measured besides faults; the others are absent from FrameMark.
struct WatchMeasures {
  std::vector<FrameGroup> groups{};
  std::uint64_t pageBytes = 0;
};

[[nodiscard]] FrameMark frameMarkOf(const MarkRecord& record, const WatchMeasures& measures);
[[nodiscard]] FaultSample faultSampleOf(const SampleRecord& record);

}  // namespace faultline

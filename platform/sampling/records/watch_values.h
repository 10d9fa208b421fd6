// Converts the records of watch_records.h to core's types. Makes no system call.
#pragma once

#include "core/marks/joiner.h"
#include "core/model/fault_sample.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

// The metrics measured besides faults; the others are absent from FrameMark.
struct WatchMeasures {
  bool zeroing = false;
  bool faultTime = false;
  bool faultParts = false;
  bool efforts = false;
  bool path = false;
  bool teardown = false;
  bool delay = false;
  std::uint64_t pageBytes = 0;
};

[[nodiscard]] FrameMark frameMarkOf(const MarkRecord& record, const WatchMeasures& measures);
[[nodiscard]] FaultSample faultSampleOf(const SampleRecord& record);

}  // namespace faultline

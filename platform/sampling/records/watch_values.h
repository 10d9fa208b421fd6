// What the BPF programs noted of a watched game, as the rest of Faultline tells it. Pure.
#pragma once

#include "core/marks/joiner.h"
#include "core/model/fault_sample.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

// What is measured besides faults.
struct WatchMeasures {
  bool zeroing = false;
  bool faultTime = false;
  std::uint64_t pageBytes = 0;
};

[[nodiscard]] FrameMark frameMarkOf(const MarkRecord& record, const WatchMeasures& measures);
[[nodiscard]] FaultSample faultSampleOf(const SampleRecord& record);

}  // namespace faultline

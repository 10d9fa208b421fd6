// ProcessorDurations: the counts of how long faults took that the sweep's programs keep for each processor
// (kernel/fault_durations.h), in mapped memory, which needs no system call to read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

class ProcessorDurations {
 public:
  ProcessorDurations() = default;
  explicit ProcessorDurations(const BpfObject& object);  // that is loaded
  ~ProcessorDurations();
  ProcessorDurations(const ProcessorDurations&) = delete;
  ProcessorDurations& operator=(const ProcessorDurations&) = delete;
  ProcessorDurations(ProcessorDurations&& other) noexcept;
  ProcessorDurations& operator=(ProcessorDurations&& other) noexcept;

  // Before loading.
  static void makeRoom(const BpfObject& object);
  // The sum over all processors; absent if the memory could not be mapped. On each processor a fault that ends at this
  // moment may be in its bucket, but not yet in the time.
  [[nodiscard]] std::optional<FaultDurations> read() const;

 private:
  std::span<const DurationCounts> m_counts;
};

}  // namespace faultline

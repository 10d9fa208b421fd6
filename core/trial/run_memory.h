// The cost of the memory of a whole run. Measured in runs of their own, whose times are not compared: a collector
// beside a program makes its faults dearer.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/metric.h"
#include "core/model/quality.h"
#include "core/model/snapshot.h"
#include "core/trial/interval.h"

namespace faultline {

struct RunFigure {
  ProcessMetric metric;
  std::string_view json;
  bool part = false;  // of the time in faults
};
inline constexpr std::array kRunFigures{RunFigure{ProcessMetric::FaultTime, "fault_ns"},
                                        RunFigure{ProcessMetric::FaultTimeOnProcessor, "fault_on_processor_ns", true},
                                        RunFigure{ProcessMetric::FaultTimeWaiting, "fault_waiting_ns", true},
                                        RunFigure{ProcessMetric::FaultTimeBlocked, "fault_blocked_ns", true},
                                        RunFigure{ProcessMetric::FaultTimeOnDisk, "fault_disk_ns", true},
                                        RunFigure{ProcessMetric::FaultTimeInReclaim, "fault_reclaim_ns", true},
                                        RunFigure{ProcessMetric::FaultTimeInCompaction, "fault_compaction_ns", true},
                                        RunFigure{ProcessMetric::ZeroedBytes, "zeroed_bytes"},
                                        RunFigure{ProcessMetric::ZeroingTime, "zeroing_ns"},
                                        RunFigure{ProcessMetric::FreedBytes, "freed_bytes"},
                                        RunFigure{ProcessMetric::TeardownTime, "teardown_ns"}};

// One of each of kRunFigures.
template <class T>
using OfRunFigures = std::array<T, kRunFigures.size()>;
using RunMemory = OfRunFigures<std::optional<double>>;  // in ns or bytes
using RunMemoryGains = OfRunFigures<std::optional<MedianInterval>>;
using RunMemoryQuality = OfRunFigures<Quality>;

[[nodiscard]] constexpr std::size_t runFigure(ProcessMetric metric) {
  std::size_t place = 0;
  while (kRunFigures[place].metric != metric) ++place;
  return place;
}

// What `family` has more than `own`: of all descendants of a process.
[[nodiscard]] RunMemory runMemory(const ProcessValues& family, const ProcessValues& own);
// The median of each figure, over the runs in which it is known.
[[nodiscard]] RunMemory memoryMedians(const std::vector<RunMemory>& runs);
// The share of each figure that a remedy saves, by runs of the same round.
[[nodiscard]] RunMemoryGains memoryGains(const std::vector<RunMemory>& plain, const std::vector<RunMemory>& tried,
                                         double confidence);

}  // namespace faultline

// ClearPageSampling: samples each processor 249 times a second, and charges a period to the process that is clearing
// pages there. An estimate, by the kernel's cpu-clock event. Only open() needs cap_perfmon and cap_syslog.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/parse/kallsyms.h"
#include "platform/sampling/linux/perf/ring.h"
#include "platform/sampling/records/clear_page_totals.h"

namespace faultline {

// 249 per second, so that samples do not coincide with the kernel's tick.
constexpr Nanoseconds kSamplingPeriod{1'000'000'000 / 249};

class ClearPageSampling {
 public:
  // `candidates`: functions that clear pages; by default all known ones. Error: the reason, for the metric's quality.
  [[nodiscard]] static Result<ClearPageSampling, Unavailable> open(Nanoseconds period = kSamplingPeriod,
                                                                   std::span<const std::string_view> candidates = {});

  // Stops the timers while the numbers are not on show, because timers wake sleeping processors.
  void attend(bool active);
  // Reads the samples. Call it before the snapshot is taken, so that the snapshot has all sampled processes.
  void drain();
  // Sets SampledZeroingTime of every process; removes it while the numbers are not on show, and if samples were lost.
  void addTo(Snapshot& snapshot);

  [[nodiscard]] const Quality& quality() const { return m_quality; }

 private:
  ClearPageSampling(Nanoseconds period, std::vector<PerfRing> rings, std::vector<KernelFunction> code);

  Nanoseconds m_period;
  std::vector<PerfRing> m_rings;       // of the processors online at the start
  std::vector<KernelFunction> m_code;  // functions that clear pages
  Quality m_quality;
  PerfRecords m_records;
  ClearPageTotals m_totals;
  bool m_attended = true;
};

}  // namespace faultline

// ClearPageSampling: catches each processor 249 times a second and charges the process that is clearing pages there. An
// estimate, by the kernel's cpu-clock event. open() needs cap_perfmon and cap_syslog; nothing later needs any.
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

// 249 a second: never in step with the kernel's own tick.
constexpr Nanoseconds kSamplingPeriod{1'000'000'000 / 249};

class ClearPageSampling {
 public:
  // Why it cannot be done is the metric's quality. `candidates`: the functions that clear pages; by default all that
  // are known.
  [[nodiscard]] static Result<ClearPageSampling, Unavailable> open(Nanoseconds period = kSamplingPeriod,
                                                                   std::span<const std::string_view> candidates = {});

  // The timers stop while nobody looks: they wake processors that sleep.
  void attend(bool active);
  // Takes what the processors have noted: before the snapshot, so that whoever it is about is in there.
  void drain();
  // Sets SampledZeroingTime of every process; takes it away while nobody looks, and where samples were lost.
  void addTo(Snapshot& snapshot);

  [[nodiscard]] const Quality& quality() const { return m_quality; }

 private:
  ClearPageSampling(Nanoseconds period, std::vector<PerfRing> rings, std::vector<KernelFunction> code);

  Nanoseconds m_period;
  std::vector<PerfRing> m_rings;       // of the processors that were there at the start
  std::vector<KernelFunction> m_code;  // where pages are cleared
  Quality m_quality;
  PerfRecords m_records;
  ClearPageTotals m_totals;
  bool m_attended = true;
};

}  // namespace faultline

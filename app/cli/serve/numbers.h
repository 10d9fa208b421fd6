// Numbers: the newest numbers of a machine and their sums, for the threads that answer. Takes bounded memory however
// long it runs and whatever the processes are called. All members may be called at once.
#pragma once

#include <mutex>

#include "core/monitor/monitor.h"
#include "core/prometheus/text.h"

namespace faultline {

class Numbers {
 public:
  // `programs`: the most that have series of their own. `services`: snapshots tell them. `historyBytes`: of the past,
  // of which no answer tells.
  Numbers(std::size_t programs, bool services, std::size_t historyBytes = std::size_t{8} << 20U);

  void begin(const std::function<void(Monitor&)>& ingest);  // a Hello, and a calibration
  void take(const Snapshot& snapshot);
  [[nodiscard]] Result<std::string> now(std::string_view question) const;  // see answerNow()
  [[nodiscard]] std::string text(PrometheusFormat format) const;

 private:
  [[nodiscard]] std::map<std::string, GroupFaults> kernelSums() const;

  mutable std::mutex m_mutex;
  Monitor m_monitor;
  bool m_hasServices;
  ProgramTotals m_totals;
  ProgramTotals m_byService;
};

}  // namespace faultline

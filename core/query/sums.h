// ProcessSums: what processes, programs or services cost over some time, ended ones included. Memory: the processes of
// one moment, and some thousands of ended ones; of more, those with least of the metric share one sum, so that all sums
// add up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// The metrics that have sums or levels: all but the parent. Absent: there is none of this name.
[[nodiscard]] std::optional<ProcessMetric> summedMetric(std::string_view name);
[[nodiscard]] std::vector<std::string_view> summedNames();

enum class SumBy : std::uint8_t { Process, Program, Service };

struct ProcessSum {
  std::string name{};         // bytes from the kernel; of a service its name
  std::string service{};      // of a process
  ProcessKey key{};           // of a process
  bool own = false;           // Faultline's
  bool exited = false;        // of a process
  ProcessDeltas counted{};    // counters
  ProcessValues levels{};     // gauges now; of a program or service summed over its processes
  ProcessValues peaks{};      // their highest
  std::uint64_t running = 0;  // processes now
  std::uint64_t most = 0;     // at one time
  std::uint64_t started = 0;  // in this time

  // Of a counter its sum, of a gauge its peak.
  [[nodiscard]] std::optional<std::uint64_t> amount(ProcessMetric metric) const;
};

class ProcessSums {
 public:
  // `kept`: ended processes, or names, of which each has a sum of its own.
  ProcessSums(SumBy by, ProcessMetric metric, std::size_t kept = 16'384) : m_by(by), m_metric(metric), m_kept(kept) {}

  void add(const Moment& moment);

  [[nodiscard]] std::vector<const ProcessSum*> top(std::size_t most) const;  // largest first; unknown ones last
  [[nodiscard]] std::size_t count() const { return m_sums.size() + m_folded; }
  // The sum of all but `shown`.
  [[nodiscard]] ProcessDeltas rest(const std::vector<const ProcessSum*>& shown) const;

 private:
  using Key = std::pair<ProcessKey, std::string>;  // of a program or service: no process
  struct Kept {
    ProcessSum sum;
    std::uint64_t seen = 0;  // the number of the last moment
  };

  void fold();

  SumBy m_by;
  ProcessMetric m_metric;
  std::size_t m_kept;
  std::map<Key, Kept> m_sums;
  std::vector<Kept*> m_running;  // at the last moment
  std::uint64_t m_moment = 0;
  std::uint64_t m_folded = 0;
  ProcessDeltas m_others;
};

}  // namespace faultline

// SweepAnswer: answers a question about processes from the sweeps of a recording or of the running machine, one at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/monitor/monitor.h"
#include "core/query/question.h"
#include "core/query/sums.h"

namespace faultline {

class SweepAnswer {
 public:
  explicit SweepAnswer(const Question& question);

  // For what comes before each snapshot: Hello, and prices by which time in faults is estimated.
  [[nodiscard]] Monitor& monitor() { return m_monitor; }
  void take(const Snapshot& snapshot);

  [[nodiscard]] std::uint64_t sweeps() const { return m_sweeps; }  // in the time asked for
  // Whole after the last snapshot. Error: the metric to rank by is unavailable, or no sweep is of the time asked for.
  // `lost`: snapshots that damage took.
  [[nodiscard]] Result<nlohmann::ordered_json> json(const std::string& remark, std::uint64_t lost) const;

 private:
  [[nodiscard]] nlohmann::ordered_json summaryJson(std::uint64_t lost) const;
  [[nodiscard]] nlohmann::ordered_json processesJson() const;
  [[nodiscard]] nlohmann::ordered_json spikesJson() const;
  [[nodiscard]] std::vector<const Spike*> spikesAsked() const;
  [[nodiscard]] nlohmann::ordered_json timeJson() const;
  [[nodiscard]] nlohmann::ordered_json qualityJson() const;

  Question m_question;
  ProcessMetric m_metric;
  Monitor m_monitor;
  ProcessSums m_sums;
  std::optional<Hello> m_hello;  // of the first snapshot
  std::array<std::optional<Quality>, kProcessMetricCount> m_quality;
  std::optional<MonotonicTime> m_start;  // of the recording
  std::optional<WallTime> m_since;       // of the time asked for
  WallTime m_until;
  Nanoseconds m_duration{0};
  std::uint64_t m_sweeps = 0;
  std::array<std::uint64_t, 5> m_gaps{};  // by Gap
  ProcessDeltas m_total;
  ProcessDeltas m_own;
  std::optional<std::uint64_t> m_unattributed;
  std::uint64_t m_born = 0;
  std::uint64_t m_died = 0;
  std::uint64_t m_most = 0;  // processes at one time
  std::uint64_t m_leftOut = 0;
};

}  // namespace faultline

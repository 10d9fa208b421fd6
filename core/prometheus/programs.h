// ProgramTotals: moments summed up by the names of programs, or of what else the processes belong to, for tools that
// keep a series for each name for months. A pid would be a new series with each process; the number of names is bounded
// here, too: those that cost most have sums of their own, and all others share one. Each difference is in exactly one
// sum, so that the sums add up to all.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/history/rates.h"

namespace faultline {

struct ProgramTotal {
  ProcessDeltas counted;        // since the first moment
  ProcessValues levels;         // gauges, summed over the processes that run
  std::uint64_t processes = 0;  // that run
  std::uint64_t spikes = 0;
  std::uint64_t cost = 0;  // ns in page faults, as far as known, to rank programs
};

class ProgramTotals {
 public:
  using NameOf = std::function<const std::string&(const ProcessRow&)>;
  explicit ProgramTotals(
      std::size_t most = 50, NameOf nameOf = [](const ProcessRow& row) -> const std::string& { return row.name; })
      : m_most(most), m_nameOf(std::move(nameOf)) {}

  void add(const Moment& moment);
  void addSpike(const std::string& program);

  [[nodiscard]] const std::map<std::string, ProgramTotal, std::less<>>& programs() const { return m_programs; }
  [[nodiscard]] const ProgramTotal& others() const { return m_others; }
  // Page faults of processes that no sweep has seen; absent if no moment tells them.
  [[nodiscard]] std::optional<std::uint64_t> unattributed() const { return m_unattributed; }
  // Of all timed faults of the machine since the first moment; absent if no moment tells them.
  [[nodiscard]] const std::optional<FaultDurations>& faultDurations() const { return m_durations; }
  [[nodiscard]] std::uint64_t moments() const { return m_moments; }
  [[nodiscard]] std::optional<WallTime> since() const { return m_since; }

 private:
  ProgramTotal& totalOf(const std::string& name);
  void promote();

  std::size_t m_most;
  NameOf m_nameOf;
  std::map<std::string, ProgramTotal, std::less<>> m_programs;
  std::map<std::string, std::uint64_t> m_waiting;  // the cost of programs that are among the others
  ProgramTotal m_others;
  std::optional<std::uint64_t> m_unattributed;
  std::optional<FaultDurations> m_durations;
  std::uint64_t m_moments = 0;
  std::optional<WallTime> m_since;
};

}  // namespace faultline

// EndedProcesses: the ended processes that still have a row: the costliest few, for half a minute, so that a thousand
// short-lived processes do not flood the table. Uses only the times of samples.
#pragma once

#include <optional>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

class EndedProcesses {
 public:
  static constexpr std::size_t kMost = 12;
  static constexpr Nanoseconds kKept = std::chrono::seconds(30);

  // `cost`: time in faults, in ns. Cheap processes are not kept.
  void add(const ProcessKey& key, MonotonicTime ended, double cost);
  void forget(MonotonicTime now);  // drops processes that ended too long ago, or after `now`
  void clear() { m_kept.clear(); }

  [[nodiscard]] bool has(const ProcessKey& key) const;
  [[nodiscard]] std::size_t size() const { return m_kept.size(); }
  void appendKeys(std::vector<ProcessKey>& out) const;

 private:
  struct Ended {
    ProcessKey key;
    MonotonicTime time;
    double cost = 0;
  };

  std::vector<Ended> m_kept;
};

// Time in faults in ns, or an estimate from their numbers if that was not measured.
[[nodiscard]] double costOf(std::optional<double> faultTime, std::optional<double> minor, std::optional<double> major);

}  // namespace faultline

// EndedProcesses: which of those that have ended still have a row, and until when. The costliest few, for half a
// minute: a thousand short-lived processes do not flood the table. No clock of its own: the times of samples.
#pragma once

#include <optional>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

class EndedProcesses {
 public:
  static constexpr std::size_t kMost = 12;
  static constexpr Nanoseconds kKept = std::chrono::seconds(30);

  // `cost`: time in faults, in ns. Those that cost too little to be worth a look are not kept.
  void add(const ProcessKey& key, MonotonicTime ended, double cost);
  void forget(MonotonicTime now);  // those that ended too long ago, or after `now`
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

// Time in faults; where nobody took it, about what so many cost.
[[nodiscard]] double costOf(std::optional<double> faultTime, std::optional<double> minor, std::optional<double> major);

}  // namespace faultline

// ClearPageTotals: how often each process was caught clearing pages since sampling began. Pure. A total belongs to a
// process, not to its pid: it ends with the process.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/units.h"
#include "core/model/snapshot.h"

namespace faultline {

class ClearPageTotals {
 public:
  // Once more, since the last snapshot. Whose pid was used twice in that time, the later process is charged.
  void hit(std::uint32_t pid);

  // Sets SampledZeroingTime of every process in the snapshot, `period` for each hit.
  void addTo(Snapshot& snapshot, Nanoseconds period);

 private:
  struct Hits {
    std::uint32_t pid = 0;
    std::uint64_t count = 0;
  };
  struct Total {
    ProcessKey key;
    std::uint64_t hits = 0;
  };

  [[nodiscard]] std::uint64_t takeHits(std::uint32_t pid);
  [[nodiscard]] std::uint64_t totalOf(const ProcessKey& key) const;

  std::vector<Hits> m_hits;      // since the last snapshot; few
  std::vector<Total> m_totals;   // sorted by key; of processes that live and were ever caught
  std::vector<Total> m_current;  // m_totals of the snapshot under way
};

}  // namespace faultline

// ClearPageTotals: the number of clear_page samples of each process since sampling began. A total belongs to a process,
// not to its pid, and ends with the process. Makes no system call.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/units.h"
#include "core/model/snapshot.h"

namespace faultline {

class ClearPageTotals {
 public:
  // Counts a sample since the last snapshot. If the pid was reused since then, the later process is charged.
  void hit(std::uint32_t pid);

  // Sets SampledZeroingTime of every process in the snapshot to `period` times its total.
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
  std::vector<Total> m_totals;   // of living processes with at least one hit; sorted by key
  std::vector<Total> m_current;  // the next m_totals, during addTo()
};

}  // namespace faultline

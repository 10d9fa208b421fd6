// EndedProcesses: who ended is told once, so it waits here while the reader takes nothing. Memory has a bound: beyond
// it those whom the reader has never seen are told in sums, one for each parent (kUnnamedEnded): names are lost, counts
// are not.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

class EndedProcesses {
 public:
  // Adds those who wait to those who have ended now, and leaves in it what fits.
  void completeExits(Snapshot& snapshot);
  void sent(const Snapshot& snapshot);
  void dropped(const Snapshot& snapshot) { m_waiting = snapshot.exited; }

 private:
  void keepFewerNames(std::vector<ProcessSample>& exited);

  std::vector<ProcessSample> m_waiting;
  std::vector<ProcessKey> m_seen;  // by the reader, alive, last; sorted
  std::uint64_t m_unnamed = 0;
};

}  // namespace faultline

// EndedProcesses: keeps ended processes, which are sent once, while the reader accepts nothing. Memory is bounded:
// beyond the bound, processes that the reader has never seen are summed up for each parent (kUnnamedEnded), so that
// names are lost, but no counts.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

class EndedProcesses {
 public:
  // Adds the waiting processes to `snapshot.exited`, and limits their number.
  void completeExits(Snapshot& snapshot);
  void sent(const Snapshot& snapshot);
  void dropped(const Snapshot& snapshot) { m_waiting = snapshot.exited; }

 private:
  void keepFewerNames(std::vector<ProcessSample>& exited);

  std::vector<ProcessSample> m_waiting;
  std::vector<ProcessKey> m_seen;  // living processes of the last snapshot sent; sorted
  std::uint64_t m_unnamed = 0;
};

}  // namespace faultline

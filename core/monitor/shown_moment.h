// ShownMoment: the moment to show. While snapshots come faster than usual, rates over the time between two of them
// waver too much to be read. The moment to show is then one over the usual interval, with all processes that ended in
// it.
#pragma once

#include <optional>
#include <vector>

#include "core/monitor/own_processes.h"

namespace faultline {

class ShownMoment {
 public:
  // `previous`: the snapshot before, and `before` its moment; null if there is none, or if snapshots between were
  // skipped. `nsPerFault`: as derive() has it.
  void add(const Hello& hello, const Snapshot* previous, const Moment& before, const Snapshot& current,
           std::optional<double> nsPerFault, OwnProcesses& own);
  [[nodiscard]] const Moment& of(const Moment& newest) const { return m_merges ? m_merged : newest; }
  void clear() { *this = {}; }

 private:
  bool m_merges = false;
  Snapshot m_from;                     // begins the interval that is not shown yet
  std::vector<ProcessSample> m_ended;  // in that interval
  Moment m_merged;                     // of the interval before
};

}  // namespace faultline

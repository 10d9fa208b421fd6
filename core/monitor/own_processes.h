// OwnProcesses: which processes are Faultline's own: the collector that measures, the programs that started it, their
// other collectors, and the window's experiments. What these cost is no news about the machine, so they are left out of
// its sums, of spikes, and of the causes of peaks; each stays in its row.
#pragma once

#include <set>

#include "core/history/rates.h"

namespace faultline {

class OwnProcesses {
 public:
  // Marks the rows of own processes, and moves what they cost from `processTotal` to `own`. The collector is known by
  // the pid that Hello tells; its parents by their pids, as long as they have a name of Faultline's programs: a shell
  // may start a collector, too.
  void leaveOut(const Hello& hello, Moment& moment);
  [[nodiscard]] bool has(const ProcessKey& key) const { return m_keys.contains(key); }
  void clear() { *this = {}; }

 private:
  void find(std::uint32_t collectorPid, const Moment& moment);
  [[nodiscard]] bool isStarted(const ProcessRow& row, const Moment& moment) const;

  std::set<ProcessKey> m_keys;  // of ended ones, too
  bool m_window = false;        // the window has started the collector: it starts the command line for experiments only
};

}  // namespace faultline

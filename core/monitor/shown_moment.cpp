#include "core/monitor/shown_moment.h"

#include <algorithm>
#include <utility>

namespace faultline {

void ShownMoment::add(const Hello& hello, const Snapshot* previous, const Moment& before, const Snapshot& current,
                      std::optional<double> nsPerFault, OwnProcesses& own) {
  const Nanoseconds planned = plannedInterval(hello, current.system);
  if (previous == nullptr || planned >= hello.interval) {
    if (m_merges) clear();
    return;
  }
  if (!std::exchange(m_merges, true)) {
    m_from = *previous;
    m_merged = before;
  }
  m_ended.insert(m_ended.end(), current.exited.begin(), current.exited.end());
  if (current.time - m_from.time + planned / 2 < hello.interval) return;
  Snapshot all = current;
  all.exited = std::exchange(m_ended, {});
  std::ranges::sort(all.exited, {}, &ProcessSample::key);
  derive(hello, &m_from, all, m_merged, nsPerFault, hello.interval);
  own.leaveOut(hello, m_merged);
  m_from = std::move(all);
}

}  // namespace faultline

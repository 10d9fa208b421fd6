#include "platform/sampling/records/clear_page_totals.h"

#include <algorithm>
#include <utility>

namespace faultline {

void ClearPageTotals::hit(std::uint32_t pid) {
  const auto known = std::ranges::find(m_hits, pid, &Hits::pid);
  if (known != m_hits.end()) ++known->count;
  else m_hits.push_back({pid, 1});
}

void ClearPageTotals::addTo(Snapshot& snapshot, Nanoseconds period) {
  const auto nanoseconds = static_cast<std::uint64_t>(period.count());
  m_current.clear();
  for (auto process = snapshot.processes.rbegin(); process != snapshot.processes.rend(); ++process) {
    const Total total{process->key, totalOf(process->key) + takeHits(process->key.pid)};
    process->values.set(ProcessMetric::SampledZeroingTime, total.hits * nanoseconds);
    if (total.hits > 0) m_current.push_back(total);
  }
  for (auto process = snapshot.exited.rbegin(); process != snapshot.exited.rend(); ++process) {
    const std::uint64_t hits = totalOf(process->key) + takeHits(process->key.pid);
    process->values.set(ProcessMetric::SampledZeroingTime, hits * nanoseconds);
  }
  std::ranges::reverse(m_current);
  std::swap(m_totals, m_current);
  m_hits.clear();
}

std::uint64_t ClearPageTotals::takeHits(std::uint32_t pid) {
  const auto found = std::ranges::find(m_hits, pid, &Hits::pid);
  return found == m_hits.end() ? 0 : std::exchange(found->count, 0);
}

std::uint64_t ClearPageTotals::totalOf(const ProcessKey& key) const {
  const auto found = std::ranges::lower_bound(m_totals, key, {}, &Total::key);
  return found != m_totals.end() && found->key == key ? found->hits : 0;
}

}  // namespace faultline

#include "app/collector/running_spikes.h"

#include <algorithm>

#include "core/spikes/groups.h"

namespace faultline {
namespace {

constexpr Nanoseconds kBeginning = std::chrono::seconds(10);
constexpr std::size_t kLatest = 100;

}  // namespace

bool RunningSpikes::add(const Snapshot& snapshot) {
  derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_moment);
  m_own.leaveOut(m_hello, m_moment);
  for (const Spike& spike : m_detector.add(m_moment)) note(spike);
  m_previous = snapshot;
  m_hasPrevious = true;
  std::erase_if(m_runsUntil, [&](const auto& spike) { return spike.second <= snapshot.time; });
  return !m_runsUntil.empty();
}

void RunningSpikes::note(const Spike& spike) {
  const auto known = std::ranges::find(m_latest, spike.id, &Spike::id);
  if (known != m_latest.end()) {
    *known = spike;
  } else {
    if (!repeatsHabit(spike, m_latest)) m_runsUntil[spike.id] = m_moment.time + kBeginning;
    m_latest.push_back(spike);
    if (m_latest.size() > kLatest) m_latest.pop_front();
  }
  if (!spike.open) m_runsUntil.erase(spike.id);
}

}  // namespace faultline

#include "core/monitor/monitor.h"

#include <algorithm>

#include "core/spikes/groups.h"

namespace faultline {
namespace {

constexpr Nanoseconds kClockSet = std::chrono::minutes(1);

Nanoseconds bootedAt(const Snapshot& snapshot) {
  return snapshot.wallTime.sinceEpoch - snapshot.time.sinceEpoch - snapshot.suspended;
}

bool isOfSameCollector(const Hello& one, const Hello& other) {
  return one.collectorPid != 0 && one.collectorPid == other.collectorPid && one.source == other.source &&
         one.interval == other.interval;
}

}  // namespace

Monitor::Monitor(MonitorOptions options) : m_options(options), m_history(options.history), m_detector(options.spikes) {}

void Monitor::ingest(const Hello& hello) {
  if (hello.machine != m_hello.machine) clear();
  if (!isOfSameCollector(hello, m_hello)) m_hasPrevious = false;
  m_hello = hello;
}

void Monitor::ingest(const Snapshot& snapshot) {
  m_hasPrevious = m_hasPrevious && snapshot.time > m_previous.time;
  if (!m_hasPrevious && m_snapshots > 0 && !continues(snapshot)) clear();
  derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_now);
  m_previous = snapshot;
  m_hasPrevious = true;
  ++m_snapshots;
  m_history.add(m_now);
  m_costs.add(m_now);
  updateSpikes();
}

void Monitor::setSpikeOptions(const SpikeOptions& options) {
  m_options.spikes = options;
  m_detector.setOptions(options);
}

void Monitor::clear() {
  m_hasPrevious = false;
  m_now = {};
  m_history.clear();
  m_costs.clear();
  m_detector = SpikeDetector(m_options.spikes);
  m_spikes.clear();
  m_spikesNow.clear();
  m_snapshots = 0;
}

bool Monitor::continues(const Snapshot& snapshot) const {
  const auto newest = m_history.newest();
  const Nanoseconds apart = bootedAt(snapshot) - bootedAt(m_previous);
  return !(newest && snapshot.time <= *newest) && std::chrono::abs(apart) <= kClockSet;
}

void Monitor::updateSpikes() {
  m_spikesNow = m_detector.add(m_now);
  for (Spike& spike : m_spikesNow) {
    spike.again = repeatsHabit(spike, m_spikes);
    spike.zeroedEstimated = m_hello.quality(ProcessMetric::ZeroedBytes).grade == Grade::Estimated;
    spike.teardownEstimated = m_hello.quality(ProcessMetric::TeardownTime).grade == Grade::Estimated;
    const auto same = std::ranges::find(m_spikes.rbegin(), m_spikes.rend(), spike.id, &Spike::id);
    if (same != m_spikes.rend()) *same = spike;
    else m_spikes.push_back(spike);
  }
  while (m_spikes.size() > m_options.keptSpikes) {
    const auto closed = std::ranges::find(m_spikes, false, &Spike::open);
    m_spikes.erase(closed == m_spikes.end() ? m_spikes.begin() : closed);
  }
}

std::optional<double> Monitor::collectorCpuShare() const {
  const auto perSecond = m_now.perSecond(m_now.systemDeltas.get(SystemMetric::CollectorCpu));
  return perSecond ? std::optional(*perSecond / 1e9) : std::nullopt;
}

}  // namespace faultline

#include "core/monitor/monitor.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

constexpr Nanoseconds kPeakKept = std::chrono::minutes(10);
constexpr Nanoseconds kClockSet = std::chrono::minutes(1);

Nanoseconds bootedAt(const Snapshot& snapshot) {
  return snapshot.wallTime.sinceEpoch - snapshot.time.sinceEpoch - snapshot.suspended;
}

}  // namespace

Monitor::Monitor(MonitorOptions options) : m_options(options), m_history(options.history), m_detector(options.spikes) {}

void Monitor::ingest(const Hello& hello) {
  if (m_snapshots > 0 && hello.machine != m_hello.machine) clear();
  m_hello = hello;
  m_hasPrevious = false;
}

void Monitor::ingest(const Snapshot& snapshot) {
  if (!m_hasPrevious && m_snapshots > 0 && !continues(snapshot)) clear();
  derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_now);
  m_previous = snapshot;
  m_hasPrevious = true;
  ++m_snapshots;
  m_history.add(m_now);
  m_costs.add(m_now);
  updatePeaks();
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
  m_peaks.clear();
  m_snapshots = 0;
}

bool Monitor::continues(const Snapshot& snapshot) const {
  const auto newest = m_history.newest();
  const Nanoseconds apart = bootedAt(snapshot) - bootedAt(m_previous);
  return !(newest && snapshot.time <= *newest) && std::chrono::abs(apart) <= kClockSet;
}

// Most processes live on and are idle: they cost a comparison.
void Monitor::updatePeaks() {
  const auto rise = [&](double& peak, std::optional<std::uint64_t> delta) {
    if (delta.value_or(0) > 0) peak = std::max(peak, m_now.perSecond(delta).value_or(0));
  };
  const auto expired = [&](const Peak& peak) { return m_now.time - peak.seen > kPeakKept; };
  bool anyExpired = false;
  auto old = m_peaks.begin();
  for (const ProcessRow& row : m_now.rows) {
    for (; old != m_peaks.end() && old->key < row.key; ++old) anyExpired |= expired(*old);
    const bool known = old != m_peaks.end() && old->key == row.key;
    Peak& peak = known ? *old++ : m_newPeaks.emplace_back(Peak{row.key, {}, {}});
    rise(peak.peak.minorPerSecond, row.deltas.get(ProcessMetric::MinorFaults));
    rise(peak.peak.majorPerSecond, row.deltas.get(ProcessMetric::MajorFaults));
    peak.seen = m_now.time;
  }
  for (; old != m_peaks.end(); ++old) anyExpired |= expired(*old);
  if (anyExpired) std::erase_if(m_peaks, expired);
  if (m_newPeaks.empty()) return;
  m_peaks.insert(m_peaks.end(), m_newPeaks.begin(), m_newPeaks.end());
  m_newPeaks.clear();
  std::ranges::sort(m_peaks, {}, &Peak::key);
}

void Monitor::updateSpikes() {
  m_spikesNow = m_detector.add(m_now);
  for (const Spike& spike : m_spikesNow) {
    const auto same = std::ranges::find(m_spikes.rbegin(), m_spikes.rend(), spike.id, &Spike::id);
    if (same != m_spikes.rend()) *same = spike;
    else m_spikes.push_back(spike);
  }
  while (m_spikes.size() > m_options.keptSpikes) {
    const auto closed = std::ranges::find(m_spikes, false, &Spike::open);
    m_spikes.erase(closed == m_spikes.end() ? m_spikes.begin() : closed);
  }
}

ProcessPeak Monitor::peak(const ProcessKey& key) const {
  const auto it = std::ranges::lower_bound(m_peaks, key, {}, &Peak::key);
  return it != m_peaks.end() && it->key == key ? it->peak : ProcessPeak{};
}

std::optional<double> Monitor::collectorCpuShare() const {
  const auto perSecond = m_now.perSecond(m_now.systemDeltas.get(SystemMetric::CollectorCpu));
  return perSecond ? std::optional(*perSecond / 1e9) : std::nullopt;
}

}  // namespace faultline

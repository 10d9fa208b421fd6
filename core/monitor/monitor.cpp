#include "core/monitor/monitor.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

constexpr Nanoseconds kPeakKept = std::chrono::minutes(10);

}  // namespace

Monitor::Monitor(MonitorOptions options) : m_options(options), m_history(options.history), m_detector(options.spikes) {}

void Monitor::ingest(const Hello& hello) {
  if (m_snapshots > 0 && hello.machine != m_hello.machine) clear();
  m_hello = hello;
  m_hasPrevious = false;
}

void Monitor::ingest(const Snapshot& snapshot) {
  const auto newest = m_history.newest();
  if (!m_hasPrevious && newest && snapshot.time <= *newest) clear();
  derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_now);
  m_previous = snapshot;
  m_hasPrevious = true;
  ++m_snapshots;
  m_history.add(m_now);
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
  m_detector = SpikeDetector(m_options.spikes);
  m_spikes.clear();
  m_spikesNow.clear();
  m_peaks.clear();
  m_snapshots = 0;
}

void Monitor::updatePeaks() {
  m_peaksScratch.clear();
  auto old = m_peaks.begin();
  const auto keepDead = [&] {
    if (m_now.time - old->seen <= kPeakKept) m_peaksScratch.push_back(*old);
    ++old;
  };
  for (const ProcessRow& row : m_now.rows) {
    while (old != m_peaks.end() && old->key < row.key) keepDead();
    const bool known = old != m_peaks.end() && old->key == row.key;
    Peak peak = known ? *old++ : Peak{row.key, {}, {}};
    const auto minor = m_now.perSecond(row.deltas.get(ProcessMetric::MinorFaults));
    const auto major = m_now.perSecond(row.deltas.get(ProcessMetric::MajorFaults));
    peak.peak.minorPerSecond = std::max(peak.peak.minorPerSecond, minor.value_or(0));
    peak.peak.majorPerSecond = std::max(peak.peak.majorPerSecond, major.value_or(0));
    peak.seen = m_now.time;
    m_peaksScratch.push_back(peak);
  }
  while (old != m_peaks.end()) keepDead();
  m_peaks.swap(m_peaksScratch);
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

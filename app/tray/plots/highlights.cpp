#include "app/tray/plots/highlights.h"

#include <algorithm>

#include "core/monitor/peak_causes.h"
#include "core/spikes/groups.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kNamedPeaks = 3;
constexpr double kFeltShare = 0.5 / 2000;  // of a rate that lasts half a second, as in spikeWeight()
constexpr float kLeastPeak = 100;          // faults per second

SpikeMark markAt(MonotonicTime time, double offset, double weight, const QString& name) {
  const double key = std::chrono::duration<double>(time.sinceEpoch).count() + offset;
  return {.time = time, .key = key, .weight = weight, .name = name};
}

}  // namespace

bool Highlights::shown(const Spike& spike) const {
  return (!m_followed || spike.key == *m_followed) && !(m_mutes != nullptr && m_mutes->has(spike.name));
}

std::vector<SpikeMark> Highlights::marks(const std::vector<Bucket>& faults, double offset) {
  std::vector<SpikeMark> marks;
  for (const Spike& spike : m_monitor.spikes())
    if (spike.peakTime >= m_view.from() && spike.peakTime <= m_view.to() && shown(spike))
      marks.push_back(
          markAt(spike.peakTime, offset, spikeWeight(spike), QString::fromStdString(printableName(spike.name))));
  if (!m_followed) addPeaks(marks, faults, offset);
  return marks;
}

void Highlights::addPeaks(std::vector<SpikeMark>& marks, const std::vector<Bucket>& faults, double offset) {
  std::map<MonotonicTime, QString> names;
  for (const Bucket& peak : highestPeaks(faults, kNamedPeaks)) {
    const auto marked = [&](const SpikeMark& mark) { return mark.time >= peak.start && mark.time <= peak.end; };
    if (peak.max < kLeastPeak || std::ranges::any_of(marks, marked)) continue;
    QString& name = names[peak.end];
    if (const auto before = m_peakNames.find(peak.end); before != m_peakNames.end()) name = before->second;
    else if (const auto by = peakCauses(m_monitor.history(), ProcessMetric::MinorFaults, peak.start, peak.end, 1);
             !by.empty())
      name = QString::fromStdString(printableName(by.front().name));
    marks.push_back(markAt(peak.end, offset, static_cast<double>(peak.max) * kFeltShare, name));
    marks.back().flagged = false;
  }
  m_peakNames = std::move(names);
}

const Spike* Highlights::heaviestSpike(MonotonicTime from, MonotonicTime to) const {
  const Spike* best = nullptr;
  for (const Spike& spike : m_monitor.spikes())
    if (spike.peakTime >= from && spike.peakTime <= to && shown(spike) &&
        (best == nullptr || spikeWeight(spike) > spikeWeight(*best)))
      best = &spike;
  return best;
}

}  // namespace faultline

#include "app/tray/plots/highlights.h"

#include <algorithm>

#include "core/monitor/peak_causes.h"
#include "core/spikes/groups.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kNamedPeaks = 3;

// The lowest peak with a name, and the weight of a rate that lasts half a second, as in spikeWeight().
struct FeltPeak {
  float least;  // per second
  double share;
};

Panel panelOf(const Spike& spike) {
  if (spike.of == SpikeOf::ZeroingThreads) return Panel::Time;
  return spike.of == SpikeOf::ZeroedList ? Panel::Zeroing : Panel::Faults;
}

// Absent for levels, which have no peaks.
std::optional<FeltPeak> feltPeak(Panel panel) {
  constexpr SpikeOptions kFelt;
  const auto half = [](std::uint64_t noticeable) { return 0.5 / static_cast<double>(noticeable); };
  switch (panel) {
    case Panel::Faults:
      return FeltPeak{100, half(kFelt.leastFaults)};
    case Panel::Time:
      return FeltPeak{1e6F, half(kFelt.leastFaultNs)};
    case Panel::Zeroing:
      return FeltPeak{1 << 20U, half(kFelt.leastZeroed)};
    case Panel::Commit:
      break;
  }
  return std::nullopt;
}

SpikeMark markAt(MonotonicTime time, double offset, double weight, const QString& name) {
  const double key = std::chrono::duration<double>(time.sinceEpoch).count() + offset;
  return {.time = time, .key = key, .weight = weight, .name = name};
}

}  // namespace

bool Highlights::shown(const Spike& spike) const {
  return (!m_followed || spike.key == *m_followed) && !(m_mutes != nullptr && m_mutes->has(spike.name));
}

std::vector<SpikeMark> Highlights::marks(Panel panel, const std::vector<Bucket>& line, double offset) {
  std::vector<SpikeMark> marks;
  for (const Spike& spike : m_monitor.spikes())
    if (panelOf(spike) == panel && spike.peakTime >= m_view.from() && spike.peakTime <= m_view.to() && shown(spike)) {
      const QString name = spike.again ? QString() : QString::fromStdString(printableName(spike.name));
      marks.push_back(markAt(spike.peakTime, offset, spikeWeight(spike), name));
      marks.back().again = spike.again;
    }
  if (!m_followed) addPeaks(marks, panel, line, offset);
  return marks;
}

// The process with the highest value then.
QString Highlights::nameOf(Panel panel, const Bucket& peak) const {
  const auto by = peakCauses(m_monitor, processSeries(panel), peak.start, peak.end, 1);
  if (by.empty() || by.front().name.empty()) return QStringLiteral("unattributed");
  return QString::fromStdString(printableName(by.front().name));
}

void Highlights::addPeaks(std::vector<SpikeMark>& marks, Panel panel, const std::vector<Bucket>& line, double offset) {
  const auto felt = feltPeak(panel);
  if (!felt) return;
  std::map<MonotonicTime, QString>& before = m_peakNames[static_cast<std::size_t>(panel)];
  std::map<MonotonicTime, QString> names;
  for (const Bucket& peak : highestPeaks(line, kNamedPeaks)) {
    const auto marked = [&](const SpikeMark& mark) { return mark.time >= peak.start && mark.time <= peak.end; };
    const auto mark = std::ranges::find_if(marks, marked);
    if (peak.max < felt->least || (mark != marks.end() && !mark->name.isEmpty())) continue;
    const auto known = before.find(peak.end);
    const QString& name = names[peak.end] = known != before.end() ? known->second : nameOf(panel, peak);
    if (mark != marks.end()) {
      mark->name = name;
      continue;
    }
    marks.push_back(markAt(peak.end, offset, static_cast<double>(peak.max) * felt->share, name));
    marks.back().flagged = false;
  }
  before = std::move(names);
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

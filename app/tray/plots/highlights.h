// Highlights chooses the spikes and the highest peaks to mark on the plot of faults, and names the process that caused
// each peak.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/tray/plots/items/spike_marks.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/time/view.h"
#include "core/monitor/monitor.h"

namespace faultline {

class Highlights {
 public:
  Highlights(const Monitor& monitor, const TimeView& view) : m_monitor(monitor), m_view(view) {}

  void setMutes(const SpikeMutes& mutes) { m_mutes = &mutes; }
  void follow(std::optional<ProcessKey> key) { m_followed = key; }

  // In the visible range. `faults`: the machine's line. `offset` is that of PlotPanel::setLines().
  [[nodiscard]] std::vector<SpikeMark> marks(const std::vector<Bucket>& faults, double offset);
  [[nodiscard]] const Spike* heaviestSpike(MonotonicTime from, MonotonicTime to) const;

 private:
  [[nodiscard]] bool shown(const Spike& spike) const;
  void addPeaks(std::vector<SpikeMark>& marks, const std::vector<Bucket>& faults, double offset);

  const Monitor& m_monitor;
  const TimeView& m_view;
  const SpikeMutes* m_mutes = nullptr;
  std::optional<ProcessKey> m_followed;
  std::map<MonotonicTime, QString> m_peakNames;  // by the end of the peak
};

}  // namespace faultline

// Highlights chooses the spikes to mark on the plot of faults and the highest peaks to name in every plot, and finds
// the process that caused each peak.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "app/tray/plots/items/spike_marks.h"
#include "app/tray/plots/lines.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/time/view.h"
#include "core/monitor/monitor.h"

namespace faultline {

class Highlights {
 public:
  Highlights(const Monitor& monitor, const TimeView& view) : m_monitor(monitor), m_view(view) {}

  void setMutes(const SpikeMutes& mutes) { m_mutes = &mutes; }
  void follow(std::optional<ProcessKey> key) { m_followed = key; }

  // In the visible range. `line`: the machine's line of processSeries(panel). `offset` is that of
  // PlotPanel::setLines(). A spike that repeats a habit has no name of its own: the first names the habit.
  [[nodiscard]] std::vector<SpikeMark> marks(Panel panel, const std::vector<Bucket>& line, double offset);
  [[nodiscard]] const Spike* heaviestSpike(MonotonicTime from, MonotonicTime to) const;

 private:
  [[nodiscard]] bool shown(const Spike& spike) const;
  void addPeaks(std::vector<SpikeMark>& marks, Panel panel, const std::vector<Bucket>& line, double offset);
  [[nodiscard]] QString nameOf(Panel panel, const Bucket& peak) const;

  const Monitor& m_monitor;
  const TimeView& m_view;
  const SpikeMutes* m_mutes = nullptr;
  std::optional<ProcessKey> m_followed;
  std::array<std::map<MonotonicTime, QString>, kPanelCount> m_peakNames;  // by the end of the peak
};

}  // namespace faultline

// PlotSeries reads the lines of the plots out of History for the visible range: the whole machine and every pinned
// process, or only the followed process. Beside the first of them it reads the same of a second recording.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/tray/plots/lines.h"
#include "app/tray/time/view.h"
#include "core/monitor/monitor.h"

namespace faultline {

class PlotSeries {
 public:
  PlotSeries(const Monitor& monitor, const Pins& pins, const TimeView& view)
      : m_monitor(monitor), m_pins(pins), m_view(view) {}

  void follow(std::optional<ProcessKey> key);
  [[nodiscard]] std::optional<ProcessKey> followed() const { return m_followed; }
  void setBeside(std::optional<BesideRun> run);  // also when there is more of either
  [[nodiscard]] const std::optional<BesideRun>& beside() const { return m_beside; }
  void setWidth(int pixels);  // of the plots: a wider plot has more buckets

  [[nodiscard]] std::vector<Line> lines(Panel panel, const Theme& theme) const;
  [[nodiscard]] std::vector<Bucket> total(ProcessMetric metric) const { return buckets(std::nullopt, metric); }
  // The line's value at an instant, as the table has it; absent also of a line that is the machine's own.
  [[nodiscard]] std::optional<double> at(const Line& line, ProcessMetric metric, MonotonicTime instant) const;
  // Its value now, as the figures above the plots have it; absent also of levels of single processes.
  [[nodiscard]] std::optional<double> now(const Line& line, ProcessMetric metric) const;
  // The highest bucket of the machine's line that touches [from, to].
  [[nodiscard]] std::optional<Bucket> highest(Panel panel, MonotonicTime from, MonotonicTime to) const;

 private:
  void findCounterpart();
  [[nodiscard]] std::vector<Bucket> buckets(std::optional<ProcessKey> key, ProcessMetric metric) const;
  [[nodiscard]] Line besideLineOf(const Line& first, const Theme& theme) const;
  [[nodiscard]] std::vector<Line> pinnedLines(Panel panel, const Theme& theme, bool estimated) const;

  const Monitor& m_monitor;
  const Pins& m_pins;
  const TimeView& m_view;
  std::optional<ProcessKey> m_followed;
  std::optional<BesideRun> m_beside;
  std::optional<ProcessKey> m_counterpart;  // of the followed process, in the second recording
  std::size_t m_columns = 0;
};

}  // namespace faultline

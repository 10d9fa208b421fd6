// PlotPanel: one plot of the stack. Draws the maximum of each bucket as a line and, if the line is filled, the mean as
// the area below: zoomed out, spikes stay visible and the mean stays correct.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/tray/plots/calm_scale.h"
#include "app/tray/plots/items/ground.h"
#include "app/tray/plots/items/labels.h"
#include "app/tray/plots/items/pin_marks.h"
#include "app/tray/plots/items/qcp.h"
#include "app/tray/plots/items/spike_marks.h"
#include "app/tray/plots/series.h"
#include "app/tray/widgets/theme.h"
#include "core/history/history.h"

namespace faultline {

struct PanelKind {
  QString title;
  QString unit;  // "/s", ""
  Rounding rounding = Rounding::Decimal;
  double least = 1;  // lowest top of the scale
  QString (*format)(double) = nullptr;
};

[[nodiscard]] PanelKind panelKind(Panel panel);

class PlotPanel {
 public:
  PlotPanel(QCustomPlot& plot, int row, const PanelKind& kind, QCPMarginGroup* margins);

  void setTheme(const Theme& theme, bool showsTime);
  // `offset`, in seconds, turns monotonic time into the axis' key (seconds since 1970). `now` is for CalmScale.
  void setLines(std::vector<Line> lines, double offset, Nanoseconds now);
  void forgetScale();                     // before unrelated data
  void setNote(const QString& note);      // in place of a scale, for a panel without data yet
  void setAbsent(const QString& reason);  // not measured: shows only a line with the reason; empty: shows the plot
  void setShown(bool shown);              // not shown, it takes no room; after setAbsent()
  [[nodiscard]] QRect absentNote() const { return m_labels->noteBehindTitle(); }
  // Puts each mark on the first line, at the mark's time.
  void setMarks(std::vector<SpikeMark> marks);
  void setRange(double from, double to);
  // Labels show the values at `shown`, or the last values, of the pixel column; or those that `exact` gives. `when`
  // follows the title.
  using Exact = std::function<std::optional<double>(const Line&, ProcessMetric)>;
  void setLabels(std::optional<MonotonicTime> shown, const QString& when, const Exact& exact = {});
  // Title, labels and their values, or why they are not measured.
  [[nodiscard]] QString spoken() const;
  void setCrosshair(std::optional<double> key);
  // The first line has no value at this instant, although there are lines.
  [[nodiscard]] bool hasGapAt(MonotonicTime time) const;

  [[nodiscard]] QCPAxisRect* rect() const { return m_rect; }
  [[nodiscard]] QCPAxis* timeAxis() const { return m_rect->axis(QCPAxis::atBottom); }

 private:
  void setGraph(std::size_t index, const Line& line, double offset, bool smooth);
  void markPins(double offset);
  [[nodiscard]] Label label(const Line& line, std::optional<MonotonicTime> shown, const Exact& exact) const;
  [[nodiscard]] QString besideValue(const Line& line, const Exact& exact) const;

  QCustomPlot& m_plot;
  PanelKind m_kind;
  Theme m_theme;
  QCPAxisRect* m_rect;
  PlotGround* m_ground;
  GridLines* m_grid;
  PinMarks* m_pinMarks;
  SpikeMarks* m_marks;
  QCPItemStraightLine* m_crosshair;
  LabelRow* m_labels;
  QSharedPointer<QuarterTicker> m_ticker;
  QSharedPointer<QuarterTicker> m_rightTicker;
  CalmScale m_scale;
  CalmScale m_rightScale;
  std::vector<Line> m_lines;
  std::vector<QCPGraph*> m_peaks;
};

}  // namespace faultline

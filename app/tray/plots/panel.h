// PlotPanel: one plot of the stack. Lines come as buckets of history; the panel draws the peak of each bucket as a line
// and, where asked to fill, its mean as a ground below: zoomed out, a spike stays visible and the mean stays honest.
#pragma once

#include <optional>
#include <vector>

#include "app/tray/plots/calm_scale.h"
#include "app/tray/plots/items/ground.h"
#include "app/tray/plots/items/labels.h"
#include "app/tray/plots/items/pin_marks.h"
#include "app/tray/plots/items/qcp.h"
#include "app/tray/plots/items/spike_marks.h"
#include "app/tray/plots/lines.h"
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

class PlotPanel {
 public:
  PlotPanel(QCustomPlot& plot, int row, const PanelKind& kind, QCPMarginGroup* margins);

  void setTheme(const Theme& theme, bool showsTime);
  // `offset` in seconds turns monotonic time into the axis' key (seconds since 1970). `now` drives the calm of the
  // scale.
  void setLines(std::vector<Line> lines, double offset, Nanoseconds now);
  void forgetScale();                     // what is shown next has nothing to do with what was
  void setNote(const QString& note);      // in place of a scale: for a panel that has nothing to show yet
  void setAbsent(const QString& reason);  // nobody measures it: a single line that says why, until the reason is empty
  [[nodiscard]] QRect absentNote() const { return m_labels->noteBehindTitle(); }
  // Each mark is put on the line of the whole (the first line) at its time.
  void setMarks(std::vector<SpikeMark> marks);
  void setRange(double from, double to);
  // Labels show the values at `shown`, or the last ones there are.
  void setLabels(std::optional<MonotonicTime> shown, const QString& when);  // `when` goes behind the title
  // Title, labels and their values; where nobody measures it, why.
  [[nodiscard]] QString spoken() const;
  void setCrosshair(std::optional<double> key);
  // Nothing is known of its first line at that instant, though something is of others.
  [[nodiscard]] bool hasGapAt(MonotonicTime time) const;

  [[nodiscard]] QCPAxisRect* rect() const { return m_rect; }
  [[nodiscard]] QCPAxis* timeAxis() const { return m_rect->axis(QCPAxis::atBottom); }

 private:
  void setGraph(std::size_t index, const Line& line, double offset, bool smooth);
  void markPins(double offset);
  [[nodiscard]] Label label(const Line& line, std::optional<MonotonicTime> shown) const;

  QCustomPlot& m_plot;
  PanelKind m_kind;
  Theme m_theme;
  QCPAxisRect* m_rect;
  PlotGround* m_ground;
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

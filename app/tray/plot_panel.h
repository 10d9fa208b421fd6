// PlotPanel: one plot of the stack. Lines come as buckets of history; the panel draws the peak of each bucket as a line
// and, where asked to fill, its mean as a ground below: zoomed out, a spike stays visible and the mean stays honest.
#pragma once

#include <optional>
#include <vector>

#include "app/tray/calm_scale.h"
#include "app/tray/plot_ground.h"
#include "app/tray/plot_items.h"
#include "app/tray/qcp.h"
#include "app/tray/spike_marks.h"
#include "app/tray/theme.h"
#include "core/monitor/history.h"

namespace faultline {

struct Line {
  QString name;
  QColor colour;
  Qt::PenStyle style = Qt::SolidLine;
  bool filled = false;
  bool rightAxis = false;  // on a scale of its own
  std::vector<Bucket> buckets;
};

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
  void setNote(const QString& note);  // in place of a scale: for a panel that has nothing to show, and says why
  // Each mark is put on the line of the whole (the first line) at its time.
  void setMarks(std::vector<SpikeMark> marks);
  void setRange(double from, double to);
  // Labels show the values at that instant, or the newest ones; `when` goes behind the title.
  void setCursor(std::optional<MonotonicTime> cursor, double key, const QString& when);

  [[nodiscard]] QCPAxisRect* rect() const { return m_rect; }
  [[nodiscard]] QCPAxis* timeAxis() const { return m_rect->axis(QCPAxis::atBottom); }

 private:
  void setGraph(std::size_t index, const Line& line, double offset, bool smooth);
  [[nodiscard]] Label label(const Line& line, std::optional<MonotonicTime> cursor) const;

  QCustomPlot& m_plot;
  PanelKind m_kind;
  Theme m_theme;
  QCPAxisRect* m_rect;
  PlotGround* m_ground;
  SpikeMarks* m_marks;
  QCPItemStraightLine* m_crosshair;
  LabelRow* m_labels;
  QSharedPointer<QuarterTicker> m_ticker;
  QSharedPointer<QuarterTicker> m_rightTicker;
  CalmScale m_scale;
  CalmScale m_rightScale;
  std::vector<Line> m_lines;
  double m_offset = 0;
  std::vector<QCPGraph*> m_peaks;
};

// The bucket at `time`, or the newest one.
[[nodiscard]] const Bucket* bucketAt(const std::vector<Bucket>& buckets, std::optional<MonotonicTime> time);

}  // namespace faultline

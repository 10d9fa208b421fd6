// BarLayout computes the positions of the visible frames' bars and diamonds, and finds the frame at a point.
#pragma once

#include <QPointF>
#include <QRectF>
#include <deque>
#include <optional>
#include <vector>

#include "app/tray/plots/calm_scale.h"
#include "app/tray/time/ruler.h"
#include "core/frames/history.h"

namespace faultline {

[[nodiscard]] inline double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

struct FrameBar {
  double left = 0;
  double right = 0;
  FrameStretch frames;  // one frame, or all frames of a pixel column
};

// Marks a frame hit by faults.
struct FrameDiamond {
  QPointF at;
  double weight = 0;
  bool late = false;
  std::uint64_t place = 0;
};

class BarLayout {
 public:
  static constexpr int kGap = 8;

  BarLayout(const FrameHistory& history, const TimeView& view) : m_history(history), m_view(view) {}

  void setBudget(Nanoseconds budget);  // resets the scale of durations, and forgets how frames were judged
  void setSize(QSizeF size, double lineHeight, double labelWidth, double pixelRatio);
  // For new frames, another size or another visible time. Of columns that were laid out before, reads only those that
  // have new frames.
  void update();

  [[nodiscard]] const QRectF& durations() const { return m_durations; }  // the upper row
  [[nodiscard]] const QRectF& faults() const { return m_faults; }        // the lower row
  [[nodiscard]] double mostMs() const { return m_scale.top(); }          // at the top of the upper row
  [[nodiscard]] double mostFaults() const { return m_faultScale.top(); }
  [[nodiscard]] double pixelRatio() const { return m_ratio; }
  [[nodiscard]] const std::vector<FrameBar>& bars() const { return m_bars; }
  [[nodiscard]] const std::vector<FrameDiamond>& diamonds() const { return m_diamonds; }
  [[nodiscard]] double xAt(MonotonicTime time) const { return ruler().xAt(time); }
  [[nodiscard]] MonotonicTime timeAt(double x) const { return ruler().timeAt(x); }
  [[nodiscard]] double yAt(Nanoseconds duration) const;
  // The frame of the diamond, else of the bar, at a point.
  [[nodiscard]] std::optional<std::uint64_t> placeAt(QPointF point) const;

 private:
  [[nodiscard]] TimeRuler ruler() const { return {m_view, m_durations.left(), m_durations.width()}; }
  void addBars();
  void addFrames(std::uint64_t from, std::uint64_t to);
  void addColumns();
  [[nodiscard]] const std::optional<FrameStretch>& column(std::int64_t number);
  void rescale();
  void addDiamonds();
  void thinOutDiamonds();

  const FrameHistory& m_history;
  const TimeView& m_view;
  CalmScale m_scale{Rounding::Fine, 1};  // ms
  CalmScale m_faultScale{Rounding::Decimal, 10};
  Nanoseconds m_scaledFor{0};  // the chosen span
  QRectF m_durations;
  QRectF m_faults;
  double m_ratio = 1;
  std::int64_t m_columnWidth = 0;                     // ns
  std::int64_t m_firstColumn = 0;                     // number of the first below
  std::deque<std::optional<FrameStretch>> m_columns;  // whose frames have all come, by number
  std::optional<FrameStretch> m_newest;               // a column whose frames may come
  std::vector<FrameBar> m_bars;
  std::vector<FrameDiamond> m_diamonds;
};

}  // namespace faultline

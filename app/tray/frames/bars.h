// FrameBars: a game's frames over time, a bar each: its height is the duration, the solid part of it was spent in
// faults, a line is the budget, a diamond a frame hit by faults. Where frames are narrower than pixels, each
// column shows the worst of its own. A second row below tells how many faults a frame had.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/tray/plots/calm_scale.h"
#include "app/tray/time/hand.h"
#include "app/tray/time/view.h"
#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"
#include "core/frames/history.h"

namespace faultline {

class FrameBars : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  FrameBars(const FrameHistory& history, TimeView& view, QWidget* parent = nullptr);

  void refresh();  // after frames have come
  void setBudget(Nanoseconds budget);
  void setSelected(std::optional<std::uint64_t> place);
  void setEmptyText(const QString& text);  // told while there is no frame

  [[nodiscard]] std::optional<std::uint64_t> selected() const { return m_selected; }
  [[nodiscard]] QString spoken() const override;  // of the selected frame, or why there is none
  void draw(QPainter& painter);                   // also for pictures
  void stepFlagged(int direction);                // to the next frame hit by faults; -1: back

 Q_SIGNALS:
  void frameClicked(quint64 place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 private:
  struct Bar {
    double left = 0;
    double right = 0;
    FrameStretch frames;
  };
  struct Diamond {
    QPointF at;
    double weight = 0;
    bool late = false;
    std::uint64_t place = 0;
  };

  void layOut();
  void collectBars();
  void collectSingle(std::uint64_t from, std::uint64_t to);
  void collectColumns(int columns);
  void rescale();
  [[nodiscard]] std::vector<Diamond> diamonds() const;
  [[nodiscard]] double xAt(MonotonicTime time) const;
  [[nodiscard]] MonotonicTime timeAt(double x) const;
  [[nodiscard]] double yAt(double ms) const;
  [[nodiscard]] std::optional<std::uint64_t> placeAt(QPointF point) const;
  [[nodiscard]] std::optional<std::uint64_t> hovered() const;
  void step(int by);
  void choose(std::uint64_t place);

  void drawAxes(QPainter& painter) const;
  void drawTimes(QPainter& painter) const;
  void drawBars(QPainter& painter) const;
  void drawBudget(QPainter& painter) const;
  void drawDiamonds(QPainter& painter) const;
  void drawPlace(QPainter& painter, std::uint64_t place, bool selected) const;
  void drawReadout(QPainter& painter) const;

  const FrameHistory& m_history;
  TimeView& m_view;
  TimeHand m_hand{m_view};
  Theme m_theme;
  Nanoseconds m_budget{0};
  QString m_emptyText;
  std::optional<std::uint64_t> m_selected;
  std::optional<MonotonicTime> m_zero;  // when watching began
  bool m_reachedByKeys = false;         // then it shows that it has the focus
  CalmScale m_scale{Rounding::Fine, 1};
  CalmScale m_faultScale{Rounding::Decimal, 10};
  Nanoseconds m_scaledFor{0};  // the span
  QRectF m_plot;               // of the durations
  QRectF m_faults;             // of the second row
  double m_ratio = 1;
  std::vector<Bar> m_bars;
};

}  // namespace faultline

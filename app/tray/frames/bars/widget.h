// FrameBars shows a game's frames over time, one bar per frame: the height is the duration, the solid part is its
// time for memory, a line is the deadline, a diamond marks a frame hit by faults. Where frames are narrower than
// pixels, each column shows its worst frame. A second row shows the number of faults.
#pragma once

#include <QWidget>
#include <optional>

#include "app/tray/frames/bars/layout.h"
#include "app/tray/time/hand.h"
#include "app/tray/widgets/key_focus.h"
#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"

namespace faultline {

class FrameBars : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  FrameBars(const FrameHistory& history, TimeView& view, QWidget* parent = nullptr);

  void refresh();  // for new frames
  void setBudget(Nanoseconds budget);
  void setSelected(std::optional<std::uint64_t> place);
  void setEmptyText(const QString& text);  // shown while there is no frame

  [[nodiscard]] std::optional<std::uint64_t> selected() const { return m_selected; }
  [[nodiscard]] FrameDeadline deadline() const;   // of the newest visible frame; without frames the budget
  [[nodiscard]] QString spoken() const override;  // the selected frame, or why there is none
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
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 private:
  [[nodiscard]] std::optional<std::uint64_t> hovered() const;
  [[nodiscard]] std::optional<JudgedFrame> kept(std::optional<std::uint64_t> place) const;
  void step(int by);
  void choose(std::uint64_t place);

  const FrameHistory& m_history;
  TimeView& m_view;
  TimeHand m_hand{m_view};
  BarLayout m_layout{m_history, m_view};
  KeyFocus m_focus{*this};
  Theme m_theme;
  Nanoseconds m_budget{0};
  QString m_emptyText;
  std::optional<std::uint64_t> m_selected;
  std::optional<MonotonicTime> m_zero;  // when watching began
};

}  // namespace faultline

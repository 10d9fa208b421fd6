// RangeBar: below the plots. How much time they show, where in history that is, and the way back to live.
#pragma once

#include <QButtonGroup>
#include <QScrollBar>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "app/tray/time/view.h"

namespace faultline {

class RangeBar : public QWidget {
  Q_OBJECT
 public:
  // A button for each of `ranges`, and one for all.
  explicit RangeBar(TimeView& view,
                    const std::vector<std::chrono::seconds>& ranges = {std::chrono::seconds(10),
                                                                       std::chrono::minutes(1),
                                                                       std::chrono::minutes(10), std::chrono::hours(1)},
                    QWidget* parent = nullptr);

  void setEnded(bool ended);  // what does not grow, like a recording, has an end, not a "live"

 private:
  void addRange(const QString& text, const QString& tip, Nanoseconds span);
  void addRange(std::chrono::seconds span);
  void showView();
  void showPlace();
  void scrolled(int value);

  TimeView& m_view;
  QButtonGroup m_ranges;
  QScrollBar* m_place;
  QToolButton* m_live;
};

}  // namespace faultline

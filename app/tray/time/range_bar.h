// RangeBar: below the plots; sets the time that they show and its place in history, and returns to live.
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
  // A button for each of `ranges`, and a button for all of history.
  explicit RangeBar(TimeView& view,
                    const std::vector<std::chrono::seconds>& ranges = {std::chrono::seconds(10),
                                                                       std::chrono::minutes(1),
                                                                       std::chrono::minutes(10), std::chrono::hours(1)},
                    QWidget* parent = nullptr);

  // Data that does not grow, such as a recording, has "end" in place of "live".
  void setEnded(bool ended);
  // Names the recording on show, and offers to go back to this machine. Empty: none is.
  void setViewed(const QString& file);

 Q_SIGNALS:
  void backRequested();

 private:
  void addRange(const QString& text, const QString& tip, Nanoseconds span);
  void addRange(std::chrono::seconds span);
  void showView();
  void showPlace();
  void nameLive();
  void scrolled(int value);

  TimeView& m_view;
  QButtonGroup m_ranges;
  QScrollBar* m_place;
  QToolButton* m_back;
  QToolButton* m_live;
  bool m_ended = false;
};

}  // namespace faultline

// LaneView draws the faults of a run: a lane for each thread, filled as high as its share of the time lies inside
// faults, and a line where threads resume together.
#pragma once

#include <QWidget>

#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"
#include "core/lanes/picture.h"

namespace faultline {

class LaneView : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  explicit LaneView(QWidget* parent = nullptr);

  void setPicture(const LanePicture& picture);
  [[nodiscard]] QString spoken() const override;            // a sentence for each lane
  [[nodiscard]] QString textAt(const QPoint& place) const;  // of the column below the pointer; empty: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void fit();
  [[nodiscard]] QRect laneAt(std::size_t lane) const;  // without its name
  void paintLane(QPainter& painter, std::size_t lane) const;
  void paintResumes(QPainter& painter) const;
  void paintTimes(QPainter& painter) const;
  [[nodiscard]] Nanoseconds timeAt(double share) const;

  LanePicture m_picture;
  Theme m_theme;
  int m_names = 0;  // width
};

}  // namespace faultline

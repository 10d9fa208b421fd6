// LanePane: the runs of an experiment whose page faults were all watched; the lanes of the one that is picked.
#pragma once

#include <QWidget>
#include <vector>

#include "app/tray/lab/lane_view.h"
#include "app/tray/widgets/line_label.h"

class QComboBox;

namespace faultline {

class LanePane : public QWidget {
  Q_OBJECT
 public:
  explicit LanePane(QWidget* parent = nullptr);

  void setPictures(const std::vector<LanePicture>& pictures);

 private:
  void show(int index);

  std::vector<LanePicture> m_pictures;
  QComboBox* m_runs;
  LineLabel* m_sentence;
  LaneView* m_view;
};

}  // namespace faultline

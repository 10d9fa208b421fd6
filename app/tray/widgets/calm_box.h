// CalmBox: a box to choose from that changes only when somebody opens it and chooses: no stray key and no turn of the
// wheel on the way past chooses something else.
#pragma once

#include <QComboBox>

namespace faultline {

class CalmBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace faultline

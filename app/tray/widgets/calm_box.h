// CalmBox: a combo box that changes only by opening it and choosing an entry, not by other keys or the wheel.
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

#include "app/tray/widgets/calm_box.h"

#include <QKeyEvent>
#include <QWheelEvent>

namespace faultline {

// Passes unused keys on to the window.
void CalmBox::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_F4:
      return showPopup();
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!isEditable()) return showPopup();
      return QComboBox::keyPressEvent(event);
    default:
      event->ignore();
  }
}

void CalmBox::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

}  // namespace faultline

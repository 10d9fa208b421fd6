#include "app/tray/widgets/key_focus.h"

#include <QFocusEvent>
#include <QPainter>
#include <QWidget>

namespace faultline {

KeyFocus::KeyFocus(QWidget& widget) : m_widget(widget) {
  widget.installEventFilter(this);
}

bool KeyFocus::eventFilter(QObject* /*watched*/, QEvent* event) {
  if (event->type() != QEvent::FocusIn && event->type() != QEvent::FocusOut) return false;
  const auto& focus = static_cast<const QFocusEvent&>(*event);
  m_shown = focus.gotFocus() && (focus.reason() == Qt::TabFocusReason || focus.reason() == Qt::BacktabFocusReason);
  m_widget.update();
  return false;
}

void KeyFocus::paint(const QColor& ink) const {
  if (!m_shown) return;
  QPainter painter(&m_widget);
  painter.setPen(QPen(ink, 1, Qt::DotLine));
  painter.drawRect(m_widget.rect().adjusted(0, 0, -1, -1));
}

}  // namespace faultline

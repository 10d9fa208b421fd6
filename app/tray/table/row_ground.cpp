#include "app/tray/table/row_ground.h"

#include <QPainter>

namespace faultline {
void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme) {
  if (option.state.testFlag(QStyle::State_Selected)) {
    painter.fillRect(option.rect, theme.selected);
    if (!theme.highContrast) return;
    painter.setPen(QPen(option.palette.color(QPalette::Highlight), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(option.rect.adjusted(1, 1, -1, -1));
    return;
  }
  if (!option.state.testFlag(QStyle::State_HasFocus)) return;
  painter.setPen(QPen(theme.dimInk, 1, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
}

}  // namespace faultline

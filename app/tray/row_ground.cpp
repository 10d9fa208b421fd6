#include "app/tray/row_ground.h"

#include <QPainter>

namespace faultline {
namespace {

constexpr double kTint = 0.28;  // of the palette's highlight

}  // namespace

void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme) {
  if (option.state.testFlag(QStyle::State_Selected)) {
    painter.fillRect(option.rect, mixed(theme.base, option.palette.color(QPalette::Highlight), kTint));
    return;
  }
  if (!option.state.testFlag(QStyle::State_HasFocus)) return;
  painter.setPen(QPen(theme.dimInk, 1, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
}

}  // namespace faultline

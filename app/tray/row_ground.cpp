#include "app/tray/row_ground.h"

#include <QPainter>

namespace faultline {
namespace {

constexpr float kTint = 0.28F;  // of the palette's highlight

QColor mixed(const QColor& a, const QColor& b, float share) {
  return QColor::fromRgbF(a.redF() + (b.redF() - a.redF()) * share, a.greenF() + (b.greenF() - a.greenF()) * share,
                          a.blueF() + (b.blueF() - a.blueF()) * share);
}

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

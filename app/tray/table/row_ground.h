// Paints the ground of a row in a list or table: a soft tint if selected, on which every ink stays legible; else a
// dotted frame around the cell with the keyboard focus.
#pragma once

#include <QStyleOptionViewItem>

#include "app/tray/widgets/theme.h"

namespace faultline {

void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme);

}  // namespace faultline

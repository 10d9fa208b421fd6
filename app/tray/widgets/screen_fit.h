// Sizes of windows that fit on their screen.
#pragma once

#include <QSize>

class QWidget;

namespace faultline {

// `wanted`, limited to the room on the window's screen without panels and the window's frame.
[[nodiscard]] QSize sizeOnScreen(const QWidget& window, QSize wanted);

}  // namespace faultline

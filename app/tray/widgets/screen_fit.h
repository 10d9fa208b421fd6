// Windows that fit on the screen they come to.
#pragma once

#include <QSize>

class QWidget;

namespace faultline {

// `wanted`, or as much of it as the window's screen has room for beside panels and the window's own frame.
[[nodiscard]] QSize sizeOnScreen(const QWidget& window, QSize wanted);

}  // namespace faultline

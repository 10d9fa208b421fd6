// Windows that fit on their screen.
#pragma once

#include <QSize>

class QScrollArea;
class QWidget;

namespace faultline {

// `wanted`, limited to the room on the window's screen without panels and the window's frame.
[[nodiscard]] QSize sizeOnScreen(const QWidget& window, QSize wanted);

// `content` at the width of the area, and scrolled where that has too little height.
[[nodiscard]] QScrollArea* scrolled(QWidget& content);

}  // namespace faultline

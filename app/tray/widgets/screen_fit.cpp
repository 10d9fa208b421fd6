#include "app/tray/widgets/screen_fit.h"

#include <QScreen>
#include <QScrollArea>
#include <QWidget>

namespace faultline {
namespace {

constexpr QSize kFrame(8, 40);  // of a window manager; the real size is known only after the window is shown

}  // namespace

QSize sizeOnScreen(const QWidget& window, QSize wanted) {
  return wanted.boundedTo(window.screen()->availableSize() - kFrame);
}

QScrollArea* scrolled(QWidget& content) {
  auto* scroll = new QScrollArea;
  scroll->setWidget(&content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return scroll;
}

}  // namespace faultline

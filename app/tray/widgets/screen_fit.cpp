#include "app/tray/widgets/screen_fit.h"

#include <QScreen>
#include <QWidget>

namespace faultline {
namespace {

constexpr QSize kFrame(8, 40);  // that a window manager adds: it is known only once the window is shown

}  // namespace

QSize sizeOnScreen(const QWidget& window, QSize wanted) {
  return wanted.boundedTo(window.screen()->availableSize() - kFrame);
}

}  // namespace faultline

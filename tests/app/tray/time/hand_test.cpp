#include "app/tray/time/hand.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr double kWidth = 600;  // ten pixels per second

struct HandFixture {
  HandFixture() { view.setData({0s}, {600s}); }

  void wheel(QPoint angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event({300, 10}, {300, 10}, {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    hand.wheel(event, view.from() + view.span() / 2);
    CHECK(event.isAccepted());
  }
  static QMouseEvent mouse(QEvent::Type type, double x, Qt::MouseButton button = Qt::LeftButton) {
    return {type, QPointF(x, 10), QPointF(x, 10), button, button, Qt::NoModifier};
  }
  void press(double x) { hand.press(mouse(QEvent::MouseButtonPress, x)); }
  void move(double x) { hand.move(mouse(QEvent::MouseMove, x), kWidth); }
  bool release(double x, Qt::MouseButton button = Qt::LeftButton) {
    return hand.release(mouse(QEvent::MouseButtonRelease, x, button));
  }

  TimeView view;
  TimeHand hand{view};
};

}  // namespace

TEST_CASE("The wheel zooms; sideways or with Shift it pans") {
  HandFixture f;
  f.wheel({0, 120});
  CHECK(f.view.span() == 48s);
  f.wheel({0, -120});
  CHECK(f.view.span() == 60s);
  f.wheel({0, 120}, Qt::ShiftModifier);
  CHECK(f.view.to() == MonotonicTime{594s});
  f.wheel({120, 0});
  CHECK(f.view.to() == MonotonicTime{588s});
  f.wheel({-60, 0});
  CHECK(f.view.to() == MonotonicTime{591s});
  CHECK(f.view.span() == 60s);
}

TEST_CASE("A dragged instant stays under the pointer") {
  HandFixture f;
  f.press(100);
  CHECK_FALSE(f.hand.dragging());
  f.move(200);
  CHECK(f.hand.dragging());
  CHECK(f.view.to() == MonotonicTime{590s});
  f.move(150);
  CHECK(f.view.to() == MonotonicTime{595s});
  CHECK_FALSE(f.release(150));
  CHECK_FALSE(f.hand.dragging());
  f.move(500);
  CHECK(f.view.to() == MonotonicTime{595s});
}

TEST_CASE("A click may move by some pixels, and only the left button clicks") {
  HandFixture f;
  f.press(100);
  f.move(103);
  CHECK(f.view.live());
  CHECK_FALSE(f.release(103, Qt::RightButton));
  CHECK(f.release(103));
  CHECK_FALSE(f.release(103));
  f.press(100);
  f.move(200);
  CHECK_FALSE(f.release(200, Qt::RightButton));
  CHECK(f.hand.dragging());
  CHECK_FALSE(f.release(200));
}

}  // namespace faultline

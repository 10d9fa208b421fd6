#include "app/tray/time/range_bar.h"

#include <QApplication>
#include <QEvent>
#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct BarFixture {
  BarFixture() { view.setData({0s}, {10min}); }

  QToolButton& button(const char* text) {
    for (QToolButton* each : bar.findChildren<QToolButton*>())
      if (each->text() == QString::fromUtf8(text)) return *each;
    FAIL("no button " << text);
    throw 0;
  }

  TimeView view;
  RangeBar bar{view};
  QScrollBar& place = *bar.findChild<QScrollBar*>();
};

struct Paints : QObject {
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    count += event->type() == QEvent::Paint ? 1 : 0;
    return false;
  }
  int count = 0;
};

}  // namespace

TEST_CASE("The button of the visible range is pressed, in every way to choose the range") {
  BarFixture f;
  CHECK(f.button("1 min").isChecked());
  f.button("10 s").click();
  CHECK(f.view.span() == 10s);
  CHECK(f.button("10 s").isChecked());
  f.view.setSpan(33s);
  for (const char* text : {"10 s", "1 min", "10 min", "1 h", "all"}) CHECK_FALSE(f.button(text).isChecked());
  f.button("all").click();
  CHECK(f.view.showsAll());
  CHECK(f.button("all").isChecked());
}

TEST_CASE("The scroll bar leads into the past and back to live") {
  BarFixture f;
  CHECK(f.place.value() == f.place.maximum());
  f.place.setValue(f.place.maximum() / 2);
  CHECK_FALSE(f.view.live());
  CHECK_FALSE(f.button("● back to live").isChecked());
  CHECK(std::chrono::abs(f.view.from() - f.view.oldest() - 270s) < 1s);
  f.place.setValue(f.place.maximum());
  CHECK(f.view.live());
  f.place.setValue(0);
  CHECK(f.view.from() == f.view.oldest());
  f.button("● back to live").click();
  CHECK(f.view.live());
  CHECK(f.button("● live").isChecked());
  CHECK(f.place.value() == f.place.maximum());
}

TEST_CASE("A scroll bar that leads nowhere is not painted again as history grows") {
  BarFixture f;
  f.view.setSpan(10min);
  f.view.setData({0s}, {1s});
  f.bar.show();
  QApplication::processEvents();
  Paints paints;
  f.place.installEventFilter(&paints);
  for (int second = 2; second < 100; ++second) {
    f.view.setData({0s}, {second * 1s});
    QApplication::processEvents();
  }
  CHECK(paints.count == 0);
  f.view.setData({0s}, {20min});
  QApplication::processEvents();
  CHECK(paints.count > 0);
}

TEST_CASE("A recording has an end in place of live") {
  BarFixture f;
  f.bar.setEnded(true);
  f.view.goTo({2min});
  f.button("▸▏ end").click();
  CHECK(f.view.live());
  int asked = 0;
  QObject::connect(&f.bar, &RangeBar::backRequested, [&] { ++asked; });
  f.bar.setViewed(QStringLiteral("a&b.faultline"));
  f.button("viewing a&&b.faultline · back to this machine").click();
  CHECK(asked == 1);
}

}  // namespace faultline

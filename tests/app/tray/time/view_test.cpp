#include "app/tray/time/view.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

MonotonicTime at(Nanoseconds t) {
  return {t};
}

TimeView& filled(TimeView& view) {
  view.setData(at(100s), at(1000s));
  view.setSpan(60s);
  return view;
}

}  // namespace

TEST_CASE("A live view ends at the newest sample and follows it") {
  TimeView view;
  filled(view);
  CHECK(view.live());
  CHECK(view.from() == at(940s));
  view.setData(at(100s), at(1001s));
  CHECK(view.to() == at(1001s));
  CHECK_FALSE(view.instant());
}

TEST_CASE("A view of the past does not move while data arrives") {
  TimeView view;
  filled(view).pan(-100s);
  CHECK_FALSE(view.live());
  CHECK(view.to() == at(900s));
  view.setData(at(100s), at(1500s));
  CHECK(view.to() == at(900s));
  CHECK(view.instant() == at(900s));
  view.setCursor(at(870s));
  CHECK(view.instant() == at(870s));
  view.goLive();
  CHECK(view.to() == at(1500s));
}

TEST_CASE("Panning stops at both ends of the data, and the newest end is live") {
  TimeView view;
  filled(view).pan(-5000s);
  CHECK(view.from() == at(100s));
  view.pan(9000s);
  CHECK(view.live());
}

TEST_CASE("Zooming keeps the instant under the pointer in its place") {
  TimeView view;
  filled(view).goTo(at(500s));
  CHECK(view.from() == at(470s));
  view.zoom(0.5, at(485s));
  CHECK(view.span() == 30s);
  CHECK(view.from() == at(485s) - 7500ms);
  CHECK(view.to() == at(485s) + 22500ms);
}

TEST_CASE("At the live edge, too, zooming keeps the instant under the pointer in its place") {
  TimeView view;
  filled(view).zoom(0.5, at(955s));
  CHECK_FALSE(view.live());
  CHECK(view.from() == at(955s) - 7500ms);
  CHECK(view.to() == at(955s) + 22500ms);
}

TEST_CASE("Zooming at the newest sample, and by keys, stays live") {
  TimeView view;
  filled(view).zoom(0.5, at(1000s) - 500ms);
  CHECK(view.live());
  CHECK(view.span() == 30s);
  view.takeKey(Qt::Key_Plus);
  CHECK(view.live());
  CHECK(view.span() == 15s);
  view.zoom(2, at(990s));
  CHECK(view.live());  // no sample is newer
  CHECK(view.span() == 30s);
}

TEST_CASE("With less data than the chosen range, the data fills the view") {
  TimeView view;
  view.setSpan(60s);
  view.setData(at(100s), at(105s));
  CHECK(view.from() == at(100s));
  CHECK(view.chosenSpan() == 60s);
  view.setData(at(100s), at(140s));
  CHECK(view.span() == 40s);
  view.setData(at(100s), at(190s));
  CHECK(view.from() == at(130s));
  CHECK(view.live());
}

TEST_CASE("The wheel zooms into data that fills the view, and out") {
  TimeView view;
  view.setSpan(60s);
  view.setData(at(100s), at(120s));
  view.zoom(0.5);
  CHECK(view.span() == 10s);
  view.zoom(2);
  CHECK(view.span() == 20s);
}

TEST_CASE("An instant out of view is not under the pointer") {
  TimeView view;
  filled(view).setCursor(at(970s));
  CHECK(view.cursor() == at(970s));
  view.setData(at(100s), at(1100s));
  CHECK_FALSE(view.cursor());
  view.setCursor(at(1080s));
  CHECK(view.cursor() == at(1080s));
}

TEST_CASE("A view of all data grows with the data, and going to a moment keeps all in view") {
  TimeView view;
  filled(view).showAll();
  CHECK(view.from() == at(100s));
  view.setData(at(100s), at(2000s));
  CHECK(view.from() == at(100s));
  CHECK(view.to() == at(2000s));
  view.goTo(at(300s));
  CHECK(view.from() <= at(300s));
  CHECK(view.to() >= at(300s));
}

TEST_CASE("Another stream with an earlier clock returns the view to its end") {
  TimeView view;
  filled(view).pan(-100s);
  view.setData(at(5s), at(20s));
  CHECK(view.live());
  CHECK(view.to() == at(20s));
}

TEST_CASE("The range stays within limits at every zoom") {
  TimeView view;
  filled(view);
  for (int i = 0; i < 200; ++i) view.zoom(0.5, at(990s));
  CHECK(view.span() == 1s);
  for (int i = 0; i < 200; ++i) view.zoom(4, at(990s));
  CHECK(view.chosenSpan() == Nanoseconds(std::chrono::hours(24 * 365)));
}

TEST_CASE("A chosen instant stops the view even if it is the newest, and is the instant for tables") {
  TimeView view;
  filled(view).standAt(at(999s));
  CHECK_FALSE(view.live());
  CHECK(view.instant() == at(999s));
  CHECK(view.to() == at(1000s));
  view.setData(at(100s), at(1100s));
  CHECK(view.to() == at(1000s));
  CHECK(view.instant() == at(999s));
  view.standAt(at(500s));
  CHECK(view.from() == at(470s));
  view.pan(-10s);
  CHECK(view.instant() == at(500s));  // still in view
  view.setSpan(10s);
  CHECK(view.from() == at(495s));
  CHECK(view.instant() == at(500s));
  view.pan(-60s);
  CHECK(view.instant() == view.to());
  view.setCursor(view.to() - 1s);
  view.goLive();
  CHECK_FALSE(view.cursor());
  CHECK_FALSE(view.instant());
}

TEST_CASE("What moves beside the data leaves the visible range in its place") {
  TimeView view;
  filled(view).standAt(at(500s));
  view.stretch(at(50s), at(3000s), at(1000s));
  CHECK(view.from() == at(470s));
  CHECK(view.instant() == at(500s));
  view.stretch(at(100s), at(1000s), at(1000s));  // the end comes back
  CHECK(view.from() == at(470s));
  view.stretch(at(100s), at(520s), at(520s));  // only what has no data any more goes
  CHECK(view.live());
  CHECK(view.to() == at(520s));
  CHECK_FALSE(view.instant());
  view.stretch(at(100s), at(900s), at(520s));  // at its end there is no data
  CHECK(view.live());
  CHECK(view.instant() == at(900s));
}

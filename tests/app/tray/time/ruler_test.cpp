#include "app/tray/time/ruler.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

using namespace std::chrono_literals;

TEST_CASE("A ruler converts times to positions and back, also beyond its ends") {
  TimeView view;
  view.setData({0s}, {100s});
  view.setSpan(10s);
  const TimeRuler ruler(view, 50, 200);
  CHECK(ruler.xAt({90s}) == 50);
  CHECK(ruler.xAt({95s}) == 150);
  CHECK(ruler.xAt({101s}) == 270);
  CHECK(ruler.timeAt(150) == MonotonicTime{95s});
  CHECK(ruler.timeAt(30) == MonotonicTime{89s});
}

TEST_CASE("A ruler of a picture that was never laid out has times, too") {
  TimeView view;
  view.setData({0s}, {100s});
  view.setSpan(10s);
  const TimeRuler ruler(view, 0, 0);  // as when the wheel turns over a widget before it is painted
  CHECK(ruler.timeAt(0) == MonotonicTime{90s});
  CHECK(ruler.timeAt(3) == MonotonicTime{120s});
}

}  // namespace faultline

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

}  // namespace faultline

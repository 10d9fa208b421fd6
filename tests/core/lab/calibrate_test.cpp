#include "core/lab/calibrate.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

LabRow row(std::string_view way, std::string_view phase, std::initializer_list<int> ns, std::uint64_t amount = 10) {
  LabRow made{.way = std::string(way), .phase = std::string(phase), .amount = amount, .unit = "page"};
  for (const int each : ns)
    made.samples.push_back({.wall = Nanoseconds(each), .processor = Nanoseconds(each), .switches = 0});
  return made;
}

LabReport quiet() {
  LabReport report;
  report.rows = {row(kCalibrateSmall, kCalibrateTouch, {5900, 6000, 6100}),
                 row(kCalibrateSmall, kCalibrateFree, {1000, 1000, 1000}),
                 row(kCalibrateLarge, kCalibrateTouch, {900'000, 900'000, 900'000})};
  return report;
}

}  // namespace

TEST_CASE("A calibration has the price of one page, with its spread") {
  const auto calibration = calibrationOf(quiet());
  REQUIRE(calibration);
  CHECK(calibration->touch == Price{.median = 600, .low = 595, .high = 605});
  CHECK(calibration->release.median == 100);
  CHECK(calibration->large->median == 90'000);
  LabReport small = quiet();
  small.rows[2].samples.clear();
  CHECK_FALSE(calibrationOf(small)->large);
}

TEST_CASE("A busy machine is refused: repetitions differ, or another program took the processor") {
  LabReport report = quiet();
  report.rows[0] = row(kCalibrateSmall, kCalibrateTouch, {4000, 6000, 9000});
  const auto differing = calibrationOf(report);
  REQUIRE_FALSE(differing);
  CHECK(differing.error().message.find("differ by ±21 %") != std::string::npos);
  report = quiet();
  for (std::size_t i : {0U, 1U}) report.rows[0].samples[i].switches = 1;
  const auto switched = calibrationOf(report);
  REQUIRE_FALSE(switched);
  CHECK(switched.error().message.find("in 2 of 3 repetitions another program") != std::string::npos);
  report = quiet();
  report.rows[0].samples[2].switches = 1;
  CHECK(calibrationOf(report)->touch.median == 595);  // of the two others
  CHECK_FALSE(calibrationOf(LabReport{}));
}

TEST_CASE("A machine is refused whose processors other programs use for more than a quarter of the time") {
  LabReport report = quiet();
  report.others = 0.25;
  CHECK(calibrationOf(report));
  report.others = 0.97;
  const auto busy = calibrationOf(report);
  REQUIRE_FALSE(busy);
  CHECK(busy.error().message ==
        "The machine is too busy to measure what a fault costs: other programs took 97 % of its processors' time.");
}

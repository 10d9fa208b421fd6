#include "core/calibration/calibration.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr WallTime kDay{std::chrono::hours(24) * 20'000};  // 2024-10-04

Calibration some() {
  return {.when = kDay,
          .version = "1",
          .place = {.system = "Linux 6.1", .processor = "P", .processors = 8, .settings = "large pages madvise"},
          .load = 0.4,
          .touch = {.median = 612, .low = 590, .high = 640},
          .large = Price{.median = 90'000, .low = 80'000, .high = 99'000},
          .release = {.median = 120, .low = 110, .high = 130}};
}

}  // namespace

TEST_CASE("Calibrations read back as they were written, and what is none is refused") {
  Calibration other = some();
  other.place.processor = "\"quoted\" Q";
  other.large.reset();
  other.load.reset();
  const auto read = parseCalibrations(calibrationsJson(std::array{some(), other}));
  REQUIRE(read);
  CHECK(*read == std::vector{some(), other});
  for (const char* const text : {"", "{}", "[]", R"({"calibrations": [{}]})", R"({"calibrations": [7]})"})
    CHECK_FALSE(parseCalibrations(text));
  std::string negative = calibrationsJson(std::array{some()});
  negative.replace(negative.find("612.0"), 5, "-1.00");
  CHECK_FALSE(parseCalibrations(negative));
}

TEST_CASE("A calibration holds until anything that it depends on changes") {
  const Calibration calibration = some();
  CHECK(calibrationChanges(calibration, calibration.place, kDay).empty());
  CalibrationPlace now = calibration.place;
  now.system = "Linux 6.12";
  CHECK(calibrationChanges(calibration, now, kDay) ==
        std::vector<std::string>{"the system is another (was Linux 6.1)"});
  now.processor = "Q";
  now.processors = 4;
  now.settings = "large pages never";
  CHECK(calibrationChanges(calibration, now, kDay).size() == 4);
  const WallTime later{kDay.sinceEpoch + std::chrono::hours(24) * 100};
  CHECK(calibrationChanges(calibration, calibration.place, later) == std::vector<std::string>{"it is 100 days old"});
}

TEST_CASE("Each machine keeps one calibration") {
  std::vector<Calibration> kept{some()};
  Calibration newer = some();
  newer.place.system = "Linux 6.12";
  keepCalibration(newer, kept);
  CHECK(kept == std::vector{newer});
  Calibration other = some();
  other.place.processors = 2;
  keepCalibration(other, kept);
  CHECK(kept == std::vector{newer, other});
  CHECK(findCalibration(kept, other.place) == &kept[1]);
  CHECK(findCalibration(kept, {.processor = "Q", .processors = 8}) == nullptr);
}

TEST_CASE("A calibration is told with its spread, day and load") {
  CHECK(calibrationText(some()) ==
        "612 ns a fault (±4 %), 90.0 µs a fault of a large page, 120 ns a page given back; measured on 2024-10-04 at a "
        "load of 0.4");
  Calibration small = some();
  small.large.reset();
  small.load.reset();
  CHECK(calibrationText(small) == "612 ns a fault (±4 %), 120 ns a page given back; measured on 2024-10-04");
}

#include "core/calibration/check.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using Catch::Approx;

namespace {

Moment moment(std::uint64_t faults, std::uint64_t ns, std::uint64_t pages) {
  ProcessRow row;
  row.deltas.set(ProcessMetric::TimedFaults, faults);
  row.deltas.set(ProcessMetric::FaultTimeOnProcessor, ns);
  row.deltas.set(ProcessMetric::ZeroedBytes, pages * 4096);
  Moment made;
  made.rows = {row};
  return made;
}

}  // namespace

TEST_CASE("A calibration is compared with the faults that it measures, once there are enough") {
  CalibrationCheck check(600);
  check.add(moment(15'000, 15'000 * 600, 15'000), 4096);
  CHECK_FALSE(check.ratio());
  check.add(moment(15'000, 15'000 * 660, 14'000), 4096);
  CHECK(*check.ratio() == Approx(1.05));
  CHECK_FALSE(check.disagrees());
  for (int i = 0; i < 20; ++i) check.add(moment(15'000, 15'000 * 1000, 15'000), 4096);
  CHECK(*check.ratio() > 1.5);
  CHECK(check.disagrees());
}

TEST_CASE("Faults of other kinds say nothing about a calibration") {
  CalibrationCheck check(600);
  check.add(moment(100'000, 100'000 * 9000, 10'000), 4096);  // files
  Moment large = moment(100'000, 100'000 * 9000, 100'000);
  large.rows[0].deltas.set(ProcessMetric::ZeroedLargeBytes, 2 << 20U);
  check.add(large, 4096);
  Moment untimed = moment(0, 0, 100'000);
  untimed.rows[0].deltas.clear(ProcessMetric::FaultTimeOnProcessor);
  check.add(untimed, 4096);
  CHECK_FALSE(check.ratio());
  CHECK_FALSE(check.disagrees());
}

TEST_CASE("Newer faults outweigh old ones") {
  CalibrationCheck check(500);
  for (int i = 0; i < 10; ++i) check.add(moment(1'000'000, 1'000'000'000, 1'000'000), 4096);  // twice the price
  CHECK(*check.ratio() == Approx(2));
  for (int i = 0; i < 10; ++i) check.add(moment(1'000'000, 500'000'000, 1'000'000), 4096);
  CHECK(*check.ratio() == Approx(1).margin(0.02));
}

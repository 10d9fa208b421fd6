#include "core/trial/frame_figures.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

JudgedFrame frameOf(Nanoseconds duration, std::uint64_t faults) {
  JudgedFrame judged;
  judged.frame.duration = duration;
  judged.frame.values.set(FrameMetric::MinorFaults, faults);
  judged.frame.values.set(FrameMetric::MajorFaults, 1);
  return judged;
}

}  // namespace

TEST_CASE("No frame has no figures") {
  CHECK_FALSE(FrameSum().figures());
}

TEST_CASE("A run's frames are counted, and their durations have percentiles") {
  FrameSum sum;
  for (int i = 1; i <= 200; ++i) sum.add(frameOf(i * 1ms, 2));
  JudgedFrame late = frameOf(300ms, 5);
  late.verdict.late = late.verdict.lateByTeardown = true;
  sum.add(late);
  late.verdict.lateByTeardown = false;
  sum.add(late);
  const auto figures = sum.figures();
  REQUIRE(figures);
  CHECK(figures->frames == 202);
  CHECK(figures->late == 2);
  CHECK(figures->lateByMemory == 1);
  CHECK(figures->minorFaults == 410);
  CHECK(figures->majorFaults == 202);
  CHECK(figures->faultsPerFrame() == 612.0 / 202);
  CHECK(figures->p50 == 101e6);
  CHECK(figures->p99 == 200e6);
  CHECK(figures->low == 1000.0 / 300);
  CHECK(figures->mean == (20'100 + 600) * 1e6 / 202);
  CHECK_FALSE(figures->inFaults);
  CHECK_FALSE(figures->inFaultsAbout);
  CHECK_FALSE(figures->teardown);
}

TEST_CASE("Times are means of the frames that have them, if these are half of all; else estimates count, too") {
  FrameSum sum;
  JudgedFrame estimated = frameOf(10ms, 100);
  estimated.verdict.faultTime = 4ms;
  estimated.verdict.estimated = true;
  sum.add(estimated);
  sum.add(estimated);
  CHECK(sum.figures()->inFaultsAbout == 4e6);
  CHECK_FALSE(sum.figures()->inFaults);
  JudgedFrame measured = frameOf(10ms, 100);
  measured.frame.values.set(FrameMetric::FaultTime, 2ms);
  measured.verdict.faultTime = 2ms;
  measured.frame.values.set(FrameMetric::TeardownTime, 1ms);
  measured.frame.values.set(FrameMetric::ZeroedBytes, 4096);
  sum.add(measured);
  CHECK_FALSE(sum.figures()->inFaults);
  CHECK_FALSE(sum.figures()->teardown);
  CHECK(sum.figures()->inFaultsAbout == 10e6 / 3);
  measured.frame.values.set(FrameMetric::FaultTime, 3ms);
  measured.verdict.faultTime = 3ms;
  sum.add(measured);
  CHECK(sum.figures()->inFaults == 2.5e6);
  CHECK(sum.figures()->teardown == 1e6);
  CHECK(sum.figures()->zeroedBytes == 4096.0);
  CHECK_FALSE(sum.figures()->inFaultsAbout);
}

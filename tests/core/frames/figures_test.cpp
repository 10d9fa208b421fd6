#include "core/frames/figures.h"

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
  CHECK(figures->late == 2.0 / 202);
  CHECK(figures->lateByMemory == 1.0 / 202);
  CHECK(figures->majorFaults == 1);
  CHECK(figures->faults == 612.0 / 202);
  CHECK(figures->p50 == 101e6);
  CHECK(figures->p99 == 200e6);
  CHECK(figures->low == 1000.0 / 300);
  CHECK(figures->mean == (20'100 + 600) * 1e6 / 202);
  CHECK_FALSE(figures->of(FrameMetric::FaultTime));
  CHECK_FALSE(figures->inFaultsAbout);
  CHECK_FALSE(figures->of(FrameMetric::TeardownTime));
}

TEST_CASE("Times are means of the frames that have them, if these are half of all; else estimates count, too") {
  FrameSum sum;
  JudgedFrame estimated = frameOf(10ms, 100);
  estimated.verdict.faultTime = 4ms;
  estimated.verdict.estimated = true;
  sum.add(estimated);
  sum.add(estimated);
  CHECK(sum.figures()->inFaultsAbout == 4e6);
  CHECK_FALSE(sum.figures()->of(FrameMetric::FaultTime));
  JudgedFrame measured = frameOf(10ms, 100);
  measured.frame.values.set(FrameMetric::FaultTime, 2ms);
  measured.verdict.faultTime = 2ms;
  measured.frame.values.set(FrameMetric::TeardownTime, 1ms);
  measured.frame.values.set(FrameMetric::ZeroedBytes, 4096);
  sum.add(measured);
  CHECK_FALSE(sum.figures()->of(FrameMetric::FaultTime));
  CHECK_FALSE(sum.figures()->of(FrameMetric::TeardownTime));
  CHECK(sum.figures()->inFaultsAbout == 10e6 / 3);
  measured.frame.values.set(FrameMetric::FaultTime, 3ms);
  measured.verdict.faultTime = 3ms;
  sum.add(measured);
  CHECK(sum.figures()->of(FrameMetric::FaultTime) == 2.5e6);
  CHECK(sum.figures()->of(FrameMetric::TeardownTime) == 1e6);
  CHECK(sum.figures()->of(FrameMetric::ZeroedBytes) == 4096.0);
  CHECK_FALSE(sum.figures()->inFaultsAbout);
  CHECK_FALSE(sum.figures()->of(FrameMetric::FaultTimeOnDisk));
}

TEST_CASE("Means are of all numbers of the game that have a time or a size, and the parts of threads are left out") {
  FrameSum sum;
  JudgedFrame frame = frameOf(10ms, 100);
  for (const FrameField& row : kFrameFields) frame.frame.values.set(row.metric, 7);
  sum.add(frame);
  const FrameFigures figures = *sum.figures();
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    CHECK(figures.of(row.metric).has_value() == isMean(row));
    if (isMean(row)) CHECK(figures.of(row.metric) == 7.0);
  }
  CHECK(figures.of(FrameMetric::FaultTimeInReclaim));
  CHECK_FALSE(figures.of(FrameMetric::ThreadFaultTime));
}

TEST_CASE("Of several runs, each figure has its median, a mean that of the runs that know it") {
  std::vector<FrameFigures> runs(3);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].p99 = runs[i].frames = 10.0 * static_cast<double>(i);
  runs[2].of(FrameMetric::ZeroedBytes) = 4096;
  const auto medians = medianFigures(runs);
  REQUIRE(medians);
  CHECK(medians->frames == 10);
  CHECK(medians->p99 == 10);
  CHECK(medians->of(FrameMetric::ZeroedBytes) == 4096.0);
  CHECK_FALSE(medians->of(FrameMetric::FaultTime));
  CHECK_FALSE(medianFigures({}));
}

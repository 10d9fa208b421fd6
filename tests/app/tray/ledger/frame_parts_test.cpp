#include "app/tray/ledger/frame_parts.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

namespace faultline {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

double sum(const std::vector<Part>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double all, const Part& each) { return all + each.amount; });
}

double amount(const std::vector<Part>& parts, const char* name) {
  const auto found = std::ranges::find(parts, QString::fromUtf8(name), &Part::name);
  return found == parts.end() ? 0 : found->amount / 1e6;
}

}  // namespace

TEST_CASE("The parts of a frame add up to it, and none is 0") {
  GameFrame frame;
  frame.duration = std::chrono::milliseconds(20);
  frame.values.set(FrameMetric::FaultTime, 9 * kMs);
  frame.values.set(FrameMetric::ThreadFaultTimeOnProcessor, 5 * kMs);
  frame.values.set(FrameMetric::ThreadFaultTimeWaiting, 1 * kMs);
  frame.values.set(FrameMetric::ThreadFaultTimeBlocked, 2 * kMs);
  frame.values.set(FrameMetric::ThreadWaiting, 1 * kMs);
  frame.values.set(FrameMetric::ThreadSleeping, 6 * kMs);
  frame.values.set(FrameMetric::ThreadAwaiting, 4 * kMs);
  frame.values.set(FrameMetric::ThreadAwaitedFaultTime, 3 * kMs);
  frame.values.set(FrameMetric::ThreadTeardownTime, 1 * kMs);
  REQUIRE(frame.threadTime());
  const std::vector<Part> parts = frameParts(frame, std::nullopt);
  CHECK(sum(parts) == Catch::Approx(20e6));
  CHECK(std::ranges::all_of(parts, [](const Part& each) { return each.amount > 0; }));
  CHECK(amount(parts, "in faults on a processor") == Catch::Approx(5));
  CHECK(amount(parts, "in faults, blocked") == Catch::Approx(2));
  CHECK(amount(parts, "giving memory back") == Catch::Approx(1));
  CHECK(amount(parts, "waiting for a processor") == Catch::Approx(2));
  CHECK(amount(parts, "waiting for other threads' memory") == Catch::Approx(3));
  CHECK(amount(parts, "waiting for other threads") == Catch::Approx(1));
  CHECK(amount(parts, "asleep") == Catch::Approx(2));
  CHECK(amount(parts, "computing") == Catch::Approx(4));
  frame.values.setWaitedBehind({.program = "cc1plus", .time = std::chrono::microseconds(1500)});
  const std::vector<Part> named = frameParts(frame, std::nullopt);
  CHECK(sum(named) == Catch::Approx(20e6));
  CHECK(amount(named, "waiting while cc1plus ran") == Catch::Approx(1.5));
  CHECK(amount(named, "waiting for a processor") == Catch::Approx(0.5));
}

TEST_CASE("Without the thread's own time a frame has its faults and the rest") {
  GameFrame frame;
  frame.duration = std::chrono::milliseconds(20);
  frame.values.set(FrameMetric::MinorFaults, 1000);
  const std::vector<Part> parts = frameParts(frame, 2000.0);
  REQUIRE(parts.size() == 2);
  CHECK(sum(parts) == Catch::Approx(20e6));
  CHECK(amount(parts, "in page faults, estimated") == Catch::Approx(2));
}

TEST_CASE("The bar leaves parts of 0 out, and says all others") {
  PartsBar bar;
  bar.setParts({{QStringLiteral("computing"), 2, QStringLiteral("2.00 ms"), PartInk::Computing},
                {QStringLiteral("blocked"), 0, QStringLiteral("0 ns"), PartInk::Blocked},
                {QStringLiteral("asleep"), 1, QStringLiteral("1.00 ms"), PartInk::Nobody}});
  CHECK(bar.spoken() == QStringLiteral("2.00 ms computing, 1.00 ms asleep"));
  CHECK_FALSE(bar.isHidden());
  CHECK(bar.heightForWidth(60) > bar.heightForWidth(2000));
  bar.setParts({});
  CHECK(bar.isHidden());
}

}  // namespace faultline

// The price that frames pay, by series of frames whose threads wait for slots of a display, for workers, or for
// nothing.
#include "core/delay/study.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "core/delay/text.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kSlot = 16ms;
constexpr int kStudied = 16;
constexpr int kPairs = 20;

enum class Faults { Own, OfWorker, OfBackground };
struct DelayedGame {
  Faults faults = Faults::Own;
  bool paced = false;
  bool byFutex = true;        // how it waits for its worker
  Nanoseconds waiting{0};     // for a processor, at most
  Nanoseconds scatter{15us};  // of its work
};

// 300 faults of 1 us and a delay of 2 us each, beside 3 ms of work; a worker's begin with the frame, and last longer
// than that work.
DelayStudy studyOf(const DelayedGame& game) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, static_cast<double>(game.scatter.count()));
  std::uniform_real_distribution<double> share(0, 1);
  DelayStudy study;
  for (std::uint64_t pair = 1; pair <= kPairs; ++pair) {
    const bool first = share(random) < 0.5;
    for (int i = 0; i < 2 * kStudied; ++i) {
      const bool delayed = (i < kStudied) == first;
      const bool own = game.faults == Faults::Own;
      const Nanoseconds work = 3ms + Nanoseconds(static_cast<std::int64_t>(noise(random)));
      const Nanoseconds inFaults = 300us;
      const Nanoseconds added = delayed ? 600us : 0us;
      const Nanoseconds waited =
          Nanoseconds(static_cast<std::int64_t>(share(random) * static_cast<double>(game.waiting.count())));
      const Nanoseconds awaited = game.faults == Faults::OfWorker ? 2ms + inFaults + added : 0ns;
      const Nanoseconds spent = work + waited + awaited + (own ? inFaults + added : 0ns);
      GameFrame frame;
      frame.values.set(FrameMetric::MinorFaults, 300);
      frame.values.set(FrameMetric::ThreadMinorFaults, own ? 300 : 0);
      frame.values.set(FrameMetric::FaultTime, inFaults);
      frame.values.set(FrameMetric::ThreadFaultTime, own ? inFaults : 0ns);
      frame.duration = game.paced ? kSlot : spent;
      frame.values.setThreadTime(ThreadTime{.inFaults = {.onProcessor = own ? inFaults : 0ns},
                                            .waiting = waited,
                                            .sleeping = awaited + frame.duration - spent});
      frame.values.setDelay(FrameDelay{.added = added,
                                       .ownAdded = own ? added : 0ns,
                                       .ownAwaited = game.byFutex ? awaited : 0ns,
                                       .pair = pair,
                                       .delayed = delayed});
      study.add(frame);
    }
  }
  return study;
}

PaidShare paidBy(const DelayedGame& game) {
  const auto paid = studyOf(game).paid(game.paced);
  REQUIRE(paid);
  return *paid;
}

}  // namespace

TEST_CASE("A frame pays for the faults of its own thread, whether it waits for a display or not") {
  for (const bool paced : {false, true})
    for (const Nanoseconds waiting : {0ms, paced ? 3ms : 8ms}) {
      const PaidShare paid = paidBy({.faults = Faults::Own, .paced = paced, .waiting = waiting});
      CAPTURE(paced, waiting.count(), paid.slope.slope);
      CHECK(paid.slope.slope == Catch::Approx(1).margin(0.05));
      CHECK_FALSE(paid.atLeast);
    }
}

TEST_CASE("A frame pays nothing for faults in the background") {
  const PaidShare free = paidBy({.faults = Faults::OfBackground, .paced = false});
  CHECK(free.slope.slope == Catch::Approx(0).margin(0.05));
  CHECK(free.share() == Catch::Approx(0).margin(0.05));
  CHECK_FALSE(free.atLeast);
  const PaidShare paced = paidBy({.faults = Faults::OfBackground, .paced = true});
  CHECK(paced.slope.slope == Catch::Approx(0).margin(0.05));
  CHECK(paced.atLeast);
}

TEST_CASE("A frame pays for the faults of a worker for which it waits, though a display hides the wait in its sleep") {
  CHECK(paidBy({.faults = Faults::OfWorker, .paced = false}).slope.slope == Catch::Approx(1).margin(0.05));
  CHECK(paidBy({.faults = Faults::OfWorker, .paced = false, .byFutex = false}).slope.slope ==
        Catch::Approx(1).margin(0.05));
  const PaidShare paced = paidBy({.faults = Faults::OfWorker, .paced = true});
  CHECK(paced.slope.slope == Catch::Approx(1).margin(0.05));
  CHECK_FALSE(paced.atLeast);
  CHECK(paidBy({.faults = Faults::OfWorker, .paced = true, .byFutex = false}).atLeast);
}

TEST_CASE("A game that waits for its display by a futex still pays for its own faults") {
  DelayStudy study;
  for (std::uint64_t i = 0; i < 32 * 12; ++i) {
    const bool delayed = i % 32 < 16;
    const Nanoseconds added = delayed ? 500us : 0us;
    GameFrame frame;
    frame.values.set(FrameMetric::MinorFaults, 250);
    frame.duration = kSlot + i % 5 * 1us;
    frame.values.set(FrameMetric::FaultTime, 200us);
    frame.values.set(FrameMetric::ThreadFaultTime, 200us);
    frame.values.setThreadTime(ThreadTime{.inFaults = {.onProcessor = 200us}, .sleeping = kSlot - 5ms - added});
    frame.values.setDelay(FrameDelay{.added = added,
                                     .ownAdded = added,
                                     .ownAwaited = frame.values.threadTime()->sleeping,
                                     .pair = 1 + i / 32,
                                     .delayed = delayed});
    study.add(frame);
  }
  const auto paid = study.paid(true);
  REQUIRE(paid);
  CHECK(paid->slope.slope == Catch::Approx(1).margin(0.05));
}

TEST_CASE("The faults of other threads explain nothing: longer frames have more, and delays make them fewer") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> share(-1, 1);
  DelayStudy study;
  for (std::uint64_t i = 0; i < 32 * kPairs; ++i) {
    const bool delayed = i % 32 < 16;
    const double longer = share(random);
    const Nanoseconds work = 8ms + Nanoseconds(static_cast<std::int64_t>(longer * 200e3));
    GameFrame frame;
    frame.duration = work;
    frame.values.set(FrameMetric::MinorFaults, static_cast<std::uint64_t>((delayed ? 200 : 400) + longer * 10));
    frame.values.set(FrameMetric::ThreadMinorFaults, 0);
    frame.values.setThreadTime(ThreadTime{});
    frame.values.setDelay(FrameDelay{.added = delayed ? work / 10 : 0ns,
                                     .ownAdded = 0ns,
                                     .ownAwaited = 0ns,
                                     .pair = 1 + i / 32,
                                     .delayed = delayed});
    study.add(frame);
  }
  const auto paid = study.paid(false);
  REQUIRE(paid);
  CHECK(paid->slope.slope == Catch::Approx(0).margin(0.05));
}

TEST_CASE("Frames that differ too much tell nothing of what they pay, and that is said") {
  const DelayStudy wild = studyOf({.scatter = 3ms});
  CHECK_FALSE(wild.paid(false));
  CHECK(wild.scatters(false));
  CHECK(delayText(wild, false).find("the frames differ too much to tell") != std::string::npos);
  CHECK(nlohmann::json::parse(delayJson(wild, false))["paid_share"].is_null());
}

TEST_CASE("Frames without delays, and those before the first stretch, teach nothing") {
  DelayStudy study;
  study.add({});
  GameFrame before;
  before.values.setDelay(FrameDelay{});
  study.add(before);
  CHECK(study.totals().frames == 0);
  CHECK_FALSE(study.paid(false));
  CHECK(delayJson(study, false) == "null");
}

TEST_CASE("The cost of faults is told as a sentence and as JSON") {
  const DelayStudy study = studyOf({});
  CHECK(study.totals().frames == 640);
  CHECK(study.totals().delayed == 320);
  CHECK(study.totals().added == 320 * 600us);
  CHECK(study.totals().own == study.totals().added);
  const std::string text = delayText(study, false);
  CAPTURE(text);
  CHECK(text.starts_with("Page faults were delayed by 192 ms in all, in 320 of 640 frames: the frames pay "));
  CHECK(text.ends_with(") of the time in faults."));
  const auto json = nlohmann::json::parse(delayJson(study, false));
  CHECK(json["pairs"] == kPairs);
  CHECK(json["added_ns"] == 192'000'000);
  CHECK(json["paid_share"].get<double>() == Catch::Approx(1).margin(0.05));
  CHECK(json["paid_share_low"] <= json["paid_share"]);
  CHECK(json["text"] == text);
  const std::string least = delayText(studyOf({.faults = Faults::OfBackground, .paced = true}), true);
  CHECK(least.find("the frames pay at least ") != std::string::npos);
  DelayStudy few;
  GameFrame frame;
  frame.values.setDelay(FrameDelay{.added = 1ms, .pair = 1, .delayed = true});
  few.add(frame);
  CHECK(
      delayText(few, false) ==
      "Page faults were delayed by 1.00 ms in all, in 1 of 1 frames: too little to tell what a frame pays; 6 pairs of "
      "stretches with faults are needed.");
  CHECK(nlohmann::json::parse(delayJson(few, false))["paid_share"].is_null());
}

}  // namespace faultline::test

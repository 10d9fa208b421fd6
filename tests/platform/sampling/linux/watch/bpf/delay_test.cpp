// Faults of a real test game, delayed by BPF. Times of a busy machine are judged by medians and bounds only.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "platform/sampling/linux/watch/frame_bpf.h"
#include "platform/sampling/records/watch_records.h"
#include "tests/support/skip_unavailable.h"
#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

void requireDelays(const WatchedByBpf& watched) {
  const std::optional<Quality> delay = watched.source().hello().watched->delay;
  REQUIRE(delay);
  skipIfUnavailable(*delay);
}

template <class Of>
double median(const std::vector<GameFrame>& frames, bool delayed, Of of) {
  std::vector<double> values;
  for (const GameFrame& frame : frames)
    if (frame.values.delay() && frame.values.delay()->delayed == delayed && frame.faults() == 16)
      values.push_back(of(frame));
  REQUIRE_FALSE(values.empty());
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

TEST_CASE("Each fault is delayed by what was asked for, in one of two stretches of frames, and is no longer for it",
          "[slow]") {
  constexpr Nanoseconds kDelay = 50us;
  WatchedByBpf watched({"rate=240", "frames=1200", "every=1000000"}, {.delay = kDelay});
  requireDelays(watched);
  watched.collectAll();
  std::map<std::uint64_t, std::map<bool, int>> stretches;
  int whole = 0;
  int inPart = 0;  // where a busy machine makes frames follow one another at once, the limit leaves faults out
  for (const GameFrame& frame : watched.frames.frames) {
    if (!frame.values.delay()) continue;
    CAPTURE(frame.number);
    const FrameDelay delay = *frame.delay();
    ++stretches[delay.pair][delay.delayed];
    REQUIRE(frame.faults() == 16);
    REQUIRE(delay.ownAdded <= delay.added);
    if (!delay.delayed) REQUIRE(delay.added == 0ns);
    else if (delay.added < 16 * kDelay) ++inPart;
    else ++whole;
    if (delay.delayed && delay.added >= 16 * kDelay) REQUIRE(delay.ownAdded >= 8 * kDelay);
  }
  CHECK(whole > 9 * inPart);
  REQUIRE(stretches.size() > 8);
  stretches.erase(std::prev(stretches.end()));
  for (const auto& [pair, frames] : stretches) {
    CAPTURE(pair);
    CHECK(frames.at(true) == kStretchFrames);
    CHECK(frames.at(false) == kStretchFrames);
  }
  const auto& frames = watched.frames.frames;
  const auto added = [](const GameFrame& frame) { return static_cast<double>(frame.values.delay()->added.count()); };
  CHECK(median(frames, true, added) < 1.5 * 16 * static_cast<double>(kDelay.count()));
  const auto inFaults = [](const GameFrame& frame) {
    return static_cast<double>(frame.values.time(FrameMetric::FaultTime).value_or(0ns).count());
  };
  CHECK(median(frames, true, inFaults) < median(frames, false, inFaults) + 8 * static_cast<double>(kDelay.count()));
}

TEST_CASE("Delays take at most a fifth of the time, however many faults there are", "[slow]") {
  WatchedByBpf watched({"rate=240", "frames=300", "every=2", "burst=2048"}, {.delay = kLongestDelay});
  requireDelays(watched);
  watched.collectAll();
  Nanoseconds added{0};
  for (const GameFrame& frame : watched.frames.frames)
    added += frame.values.delay() ? frame.values.delay()->added : 0ns;
  const auto& frames = watched.frames.frames;
  const Nanoseconds all = frames.back().end() - frames.front().start;
  const auto windows = all / 100ms + 2;
  CAPTURE(added.count(), all.count());
  CHECK(added > 0ns);
  CHECK(added < windows * 22ms);  // one fault of each thread may exceed the limit
}

TEST_CASE("A collector that stands still delays no fault after a second", "[slow]") {
  WatchedByBpf watched({"rate=240", "frames=1100", "every=1000000"}, {.delay = 20us});
  requireDelays(watched);
  watched.collectUntil([&] { return watched.frames.frames.size() > 100; });
  const MonotonicTime still = systemClock().now();
  pause(999ms);
  pause(999ms);
  const MonotonicTime before = systemClock().now();
  watched.collectAll();
  int quiet = 0;
  int later = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    if (!frame.values.delay() || !frame.values.delay()->delayed) continue;
    if (frame.start > still + 1100ms && frame.end() < before) {
      ++quiet;
      REQUIRE(frame.values.delay()->added == 0ns);
    }
    later += frame.start > before + 10ms && frame.values.delay()->added > 0ns ? 1 : 0;
  }
  CHECK(quiet > 0);
  CHECK(later > 0);
}

TEST_CASE("No fault is delayed unless that was asked for") {
  WatchedByBpf watched({"rate=240", "frames=120"});
  CHECK_FALSE(watched.source().hello().watched->delay);
  watched.collectAll();
  CHECK(std::ranges::none_of(watched.frames.frames,
                             [](const GameFrame& frame) { return frame.values.delay().has_value(); }));
}

}  // namespace faultline::test

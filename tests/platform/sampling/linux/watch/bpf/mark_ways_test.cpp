// The ways in which BPF programs see marks: their order, and the ways of this kernel.
#include "platform/sampling/linux/watch/bpf/mark_ways.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "platform/sampling/linux/watch/bpf/programs.h"
#include "platform/sampling/linux/watch/frame_marks.h"
#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// A game that plays, and a place in its code.
struct Playing {
  explicit Playing(std::vector<std::string> arguments) : game(std::move(arguments)) {
    for (; places.empty(); pause(1ms)) {
      auto found = WatchTarget::open(game.pid());
      REQUIRE(found);
      auto file = ProbeFile::open(*found, present());
      if (!file) continue;
      places.push_back(std::move(*file));
      target.emplace(std::move(*found));
    }
  }
  Game game;
  std::optional<WatchTarget> target;
  std::vector<ProbeFile> places;
};

}  // namespace

TEST_CASE("Probes are tried first, then the ways of older kernels") {
  const Playing playing({"frames=100000"});
  CHECK(waysTo(playing.places, true) == std::vector{MarkWay::Probe, MarkWay::Getrusage});
  CHECK(waysTo({}, true) == std::vector{MarkWay::Getrusage});
  const auto functions = waysTo(playing.places, false);
  REQUIRE_FALSE(functions.empty());
  CHECK(functions.front() == MarkWay::Probe);
  CHECK(std::ranges::find(functions, MarkWay::Getrusage) == functions.end());  // sees only the game's own marks
}

TEST_CASE("Of the programs for marks only that of the chosen way is loaded, and all other programs are") {
  for (const unsigned way : {kMarkAtProbe, kMarkAtBreakpoint, kMarkAtGetrusage}) {
    WatchSettings settings{};
    settings.markWay = way;
    CHECK(isWanted("mark", settings) == (way == kMarkAtProbe));
    CHECK(isWanted("markAtBreakpoint", settings) == (way == kMarkAtBreakpoint));
    CHECK(isWanted("markAtGetrusage", settings) == (way == kMarkAtGetrusage));
    CHECK(isWanted("leaveFault", settings));
  }
}

TEST_CASE("A breakpoint is identified by its place, and a breakpoint for Wayland requests has a bit set") {
  Playing playing({"frames=100000"});
  ProbePoint request = present();
  request.calls = ProbeCalls::SurfaceCommits;
  auto other = ProbeFile::open(*playing.target, request);
  REQUIRE(other);
  playing.places.push_back(std::move(*other));
  WatchSettings settings{};
  nameBreakpoints(playing.places, settings);
  CHECK(settings.breakpoints[0] == playing.places[0].address());
  CHECK(settings.breakpoints[0] % 4096 == fakeGamePresent() % 4096);
  CHECK(settings.breakpoints[2] == 0);
  CHECK(settings.commits == 2);
}

TEST_CASE("With programs at getrusage(), the frames of a game that hides its code have fault times") {
  const Playing playing({"rate=240", "frames=100000"});
  auto marking = WatchTarget::open(playing.target->pid());
  REQUIRE(marking);
  const auto watched = MarkedFrames::open(std::move(*marking), {.patience = 60s}, systemClock());
  REQUIRE(watched);  // the game calls getrusage() only while a reader asks for its marks
  const auto watch = BpfWatch::open(*playing.target, {}, {.ownMarks = true});
  if (!watch) SKIP(watch.error().why);
  CHECK_FALSE((*watch)->numbersMarks());
  std::vector<BpfMark> marks;
  FaultSampleBatch samples;
  const MonotonicTime end = systemClock().now() + 60s;
  while (marks.size() < 100 && systemClock().now() < end) {
    (*watch)->collect(marks, samples);
    pause(10ms);
  }
  REQUIRE(marks.size() >= 100);
  CHECK(std::ranges::is_sorted(marks, {}, [](const BpfMark& mark) { return mark.frame.time; }));
  CHECK(marks.back().frame.values.minorFaults() - marks.front().frame.values.minorFaults() >= 16 * 50);
}

}  // namespace faultline::test

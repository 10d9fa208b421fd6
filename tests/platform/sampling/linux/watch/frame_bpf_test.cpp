// Real, unmodified test games, watched by BPF at calls of one of their functions.
#include "platform/sampling/linux/watch/frame_bpf.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <utility>

#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// Every fiftieth frame of the game is a burst; the first burst aligns our numbers with the game's.
void checkExact(const GameFrameBatch& batch) {
  const auto burst = std::ranges::find(batch.frames, 8192U, &GameFrame::minorFaults);
  REQUIRE(burst != batch.frames.end());
  const std::uint64_t phase = burst->number % 50;
  const auto* previous = &batch.frames.front();
  const bool clearsAll = initOnAlloc().value_or(false);  // then also any page that the kernel takes meanwhile
  for (const GameFrame& frame : batch.frames) {
    CAPTURE(frame.number);
    const std::uint64_t truth = frame.number % 50 == phase ? 8192 : 16;
    const std::uint64_t tables = truth / 512 + 3;  // at most: page tables for this many pages
    REQUIRE(frame.values.minorFaults() == truth);
    REQUIRE(frame.values.majorFaults() == 0);
    REQUIRE(frame.values.get(FrameMetric::ThreadMinorFaults) == truth / 2);
    REQUIRE(frame.values.get(FrameMetric::ThreadMajorFaults) == 0U);
    REQUIRE(frame.values.get(FrameMetric::ZeroedBytes).value_or(0) % 4096 == 0);
    REQUIRE(frame.values.get(FrameMetric::ZeroedBytes).value_or(0) >= truth * 4096);
    if (!clearsAll) REQUIRE(frame.values.get(FrameMetric::ZeroedBytes).value_or(0) <= (truth + tables) * 4096);
    REQUIRE(frame.values.get(FrameMetric::ThreadZeroedBytes).value_or(0) >= truth * 2048);
    REQUIRE(frame.values.get(FrameMetric::ThreadZeroedBytes) <= frame.values.get(FrameMetric::ZeroedBytes));
    REQUIRE(frame.values.time(FrameMetric::FaultTime).value_or(0ns) > 0ns);
    REQUIRE(frame.values.time(FrameMetric::ThreadFaultTime) <= frame.values.time(FrameMetric::FaultTime));
    if (&frame != previous) REQUIRE(frame.number == previous->number + 1);
    previous = &frame;
  }
  CHECK(batch.lost == 0);
  CHECK(batch.invalidMarks == 0);
}

std::size_t onlyPages(const GameFrameBatch& batch) {
  return static_cast<std::size_t>(std::ranges::count_if(batch.frames, [](const GameFrame& frame) {
    return frame.values.get(FrameMetric::ZeroedBytes) == frame.values.minorFaults() * 4096;
  }));
}

}  // namespace

TEST_CASE("BPF gives every frame of a game its exact faults, at 240 and at 1000 frames per second", "[in time]") {
  // Half a second may pass until all programs are attached.
  for (const auto& [rate, frames] : {std::pair("rate=240", "frames=600"), std::pair("rate=1000", "frames=2000")}) {
    WatchedByBpf watched({rate, frames});
    watched.collectAll();
    CHECK(watched.frames.state == GameState::Exited);
    CHECK(watched.frames.frames.size() > 100);
    checkExact(watched.frames);
    if (!initOnAlloc().value_or(false))
      CHECK(onlyPages(watched.frames) > watched.frames.frames.size() / 2);  // the other frames also made page tables
  }
}

TEST_CASE("A game that ends while watching begins is reported as ended, not as refused by the kernel") {
  const Game game({"frames=100000", "mark="});
  std::vector<ProbeFile> files;
  std::optional<WatchTarget> target;
  for (; files.empty(); pause(1ms)) {  // until our child has become the game
    auto found = WatchTarget::open(game.pid());
    REQUIRE(found);
    auto file = ProbeFile::open(*found, present());
    if (!file) continue;
    files.push_back(std::move(*file));
    target.emplace(std::move(*found));
  }
  const auto open = [&](WatchTarget& of) { return openBpfFrames(of, files, {.pid = game.pid()}, systemClock()); };
  auto other = WatchTarget::open(game.pid());
  REQUIRE(other);
  if (const auto alive = open(*other); !alive) SKIP(alive.error().why);
  kill(game.pid(), SIGKILL);
  while (!target->exited()) pause(1ms);
  const auto ended = open(*target);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().why == "The game ended or became another program while watching began");
  CHECK(ended.error().enable == "Watch it again.");
}

TEST_CASE("Two games are watched by BPF at once, independently", "[in time]") {
  WatchedByBpf one({"rate=500", "frames=2000"});
  WatchedByBpf other({"rate=240", "frames=960"});
  one.collectAll();
  other.collectAll();
  checkExact(one.frames);
  checkExact(other.frames);
}

TEST_CASE("Another game that runs the same code is not counted") {
  WatchedByBpf watched({"rate=240", "frames=960"});
  const Game stranger({"rate=0", "frames=100000", "mark=", "every=1000000"});
  watched.collectAll();
  checkExact(watched.frames);
  CHECK(watched.frames.frames.size() < 960);
}

TEST_CASE("The preferred mark is named after it has been called") {
  WatchedByBpf watched({"rate=240", "frames=300"},
                       {.probes = {{kFakeGame, fakeGamePresent(), "first"}, present("second")}});
  CHECK(watched.source().hello().watched->by == FrameEnd::Function);
  watched.collectUntil([&] { return !watched.frames.frames.empty(); });
  CHECK(watched.source().helloChanged());
  CHECK_FALSE(watched.source().helloChanged());
  CHECK(watched.source().hello().watched->mark == "first");
  CHECK(watched.source().hello().watched->faults.grade == Grade::Exact);
  watched.collectAll();
  checkExact(watched.frames);
}

TEST_CASE("Only requests of a Wayland client that commit a surface end a frame") {
  const std::uint64_t place = ProgramFile(kFakeGame).placeOf("fakeGameRequest");
  WatchedByBpf watched({"rate=240", "frames=600"},
                       {.probes = {{kFakeGame, place, "commit", ProbeCalls::SurfaceCommits}}});
  watched.collectAll();
  CHECK(watched.frames.frames.size() > 50);
  checkExact(watched.frames);
}

TEST_CASE("BPF notices that a game crashes, or becomes another program") {
  WatchedByBpf crashing({"rate=240", "frames=600", "then=crash"});
  crashing.collectAll();
  CHECK(crashing.frames.state == GameState::Exited);
  checkExact(crashing.frames);
  WatchedByBpf leaving({"rate=240", "frames=600", "then=exec"});
  leaving.collectAll();
  CHECK(leaving.frames.state == GameState::ProgramLeft);
  checkExact(leaving.frames);
}

TEST_CASE("A game's child is another process, whose frames and faults are its own") {
  WatchedByBpf watched({"rate=240", "frames=120", "then=fork"});
  watched.collectAll();
  CHECK(std::ranges::all_of(watched.frames.frames,
                            [&](const GameFrame& frame) { return frame.thread == watched.game().pid(); }));
  CHECK(watched.frames.frames.size() < 240);
  CHECK(watched.frames.lost == 0);
}

}  // namespace faultline::test

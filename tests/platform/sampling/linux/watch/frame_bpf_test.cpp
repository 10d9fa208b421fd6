// Real games of our own making that know nothing of Faultline, watched by BPF at calls of one of their functions.
#include "platform/sampling/linux/watch/frame_bpf.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// Every fiftieth frame of the game is a burst. Which of ours that is, its first burst tells.
void checkExact(const GameFrameBatch& batch) {
  const auto burst = std::ranges::find(batch.frames, 8192U, &GameFrame::minorFaults);
  REQUIRE(burst != batch.frames.end());
  const std::uint64_t phase = burst->number % 50;
  const auto* previous = &batch.frames.front();
  for (const GameFrame& frame : batch.frames) {
    CAPTURE(frame.number);
    const std::uint64_t truth = frame.number % 50 == phase ? 8192 : 16;
    const std::uint64_t tables = truth / 512 + 3;  // at most: the page tables that so many pages need
    REQUIRE(frame.minorFaults == truth);
    REQUIRE(frame.majorFaults == 0);
    REQUIRE(frame.ownMinorFaults == truth / 2);
    REQUIRE(frame.ownMajorFaults == 0U);
    REQUIRE(frame.zeroedBytes.value_or(0) % 4096 == 0);
    REQUIRE(frame.zeroedBytes.value_or(0) >= truth * 4096);
    REQUIRE(frame.zeroedBytes.value_or(0) <= (truth + tables) * 4096);
    REQUIRE(frame.ownZeroedBytes.value_or(0) >= truth * 2048);
    REQUIRE(frame.ownZeroedBytes <= frame.zeroedBytes);
    REQUIRE(frame.faultTime.value_or(0ns) > 0ns);
    REQUIRE(frame.ownFaultTime <= frame.faultTime);
    if (&frame != previous) REQUIRE(frame.number == previous->number + 1);
    previous = &frame;
  }
  CHECK(batch.lost == 0);
  CHECK(batch.invalidMarks == 0);
}

std::size_t onlyPages(const GameFrameBatch& batch) {
  return static_cast<std::size_t>(std::ranges::count_if(
      batch.frames, [](const GameFrame& frame) { return frame.zeroedBytes == frame.minorFaults * 4096; }));
}

}  // namespace

TEST_CASE("BPF tells every frame of a game with its exact faults, at 240 and at 1000 frames a second") {
  for (const char* rate : {"rate=240", "rate=1000"}) {
    WatchedByBpf watched({rate, "frames=600"});
    watched.collectAll();
    CHECK(watched.frames.state == GameState::Exited);
    CHECK(watched.frames.frames.size() > 100);
    checkExact(watched.frames);
    CHECK(onlyPages(watched.frames) > watched.frames.frames.size() / 2);  // in the others page tables were made, too
  }
}

TEST_CASE("A game that ends while watching begins is told as that, not as a refusal of the kernel") {
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
  CHECK(ended.error().why == "The game has ended, or become another program, while watching began");
  CHECK(ended.error().enable == "Watch it anew.");
}

TEST_CASE("Two games are watched at once, each for itself") {
  WatchedByBpf one({"rate=500", "frames=600"});
  WatchedByBpf other({"rate=240", "frames=300"});
  one.collectAll();
  other.collectAll();
  checkExact(one.frames);
  checkExact(other.frames);
}

TEST_CASE("A game that is not watched is not counted, though it runs the same code") {
  WatchedByBpf watched({"rate=240", "frames=300"});
  const Game stranger({"rate=0", "frames=100000", "mark=", "every=1000000"});
  watched.collectAll();
  checkExact(watched.frames);
  CHECK(watched.frames.frames.size() < 300);
}

TEST_CASE("The mark is told by name once it has been called, the preferred one of those that are") {
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

TEST_CASE("Of the requests of a Wayland client those end a frame that commit a surface") {
  const std::uint64_t place = ProgramFile(kFakeGame).placeOf("fakeGameRequest");
  WatchedByBpf watched({"rate=240", "frames=300"},
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

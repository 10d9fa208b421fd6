// Real, unmodified test games, watched by perf events and breakpoints at one of their
// functions.
#include "platform/sampling/linux/watch/frame_perf.h"

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

Quality faultQuality(const Watched& watched) {
  static_cast<void>(watched.source().helloChanged());
  return watched.source().hello().watched->faults;
}

// `usual` faults per frame, 8 of the presenting thread; 8176 more in every 50th frame, half of that thread.
void checkExact(const Watched& watched, std::uint64_t usual = 16) {
  const GameFrameBatch& batch = watched.frames;
  INFO(faultQuality(watched).how);
  const std::uint64_t burst = usual + 8176;
  REQUIRE_FALSE(batch.frames.empty());
  const auto first = std::ranges::find(batch.frames, burst, &GameFrame::minorFaults);
  const std::uint64_t phase = first == batch.frames.end() ? 50 : first->number % 50;
  for (const GameFrame& frame : batch.frames) {
    CAPTURE(frame.number, frame.duration.count());
    REQUIRE(frame.values.minorFaults() == (frame.number % 50 == phase ? burst : usual));
    REQUIRE(frame.values.majorFaults() == 0);
    REQUIRE(frame.values.get(FrameMetric::ThreadMinorFaults) == (frame.number % 50 == phase ? 4096U : 8U));
    REQUIRE(frame.values.get(FrameMetric::ThreadMajorFaults) == 0U);
    REQUIRE(frame.thread == batch.frames.front().thread);
    REQUIRE(frame.number == batch.frames.front().number + static_cast<std::uint64_t>(&frame - batch.frames.data()));
  }
  CHECK(batch.lost == 0);
  CHECK(batch.invalidMarks == 0);
}

}  // namespace

TEST_CASE("Perf events give every frame of a game its exact faults, at 240 and at 1000 frames per second") {
  for (const char* rate : {"rate=240", "rate=1000"}) {
    WatchedByPerf watched({rate, "frames=600"});
    watched.collectAll();
    CHECK(watched.frames.state == GameState::Exited);
    CHECK(watched.frames.frames.size() > 100);
    CHECK(watched.frames.frames.front().thread == watched.game().pid());
    checkExact(watched);
  }
}

TEST_CASE("Without BPF programs, how a frame's thread waited and slept is estimated") {
  WatchedByPerf watched({"rate=60", "frames=100", "every=1000"});
  watched.collectAll();
  Nanoseconds lasted{0};
  Nanoseconds away{0};
  for (const GameFrame& frame : watched.frames.frames) {
    if (!frame.values.threadTime()) continue;
    const ThreadTime spent = *frame.threadTime();
    CHECK(spent.faults() == 0ns);
    REQUIRE((spent.waiting >= 0ns && spent.sleeping >= 0ns && spent.waiting + spent.sleeping <= frame.duration));
    lasted += frame.duration;
    away += spent.waiting + spent.sleeping;
  }
  REQUIRE(lasted > 0ns);
  CHECK(away > lasted / 2);  // 16 faults take far less than 16 ms
}

TEST_CASE("New threads of a watched game are counted from their first fault on, and start without error") {
  WatchedByPerf watched({"rate=240", "frames=300", "helper=8"});
  watched.collectAll();
  CHECK(watched.frames.frames.size() > 50);
  checkExact(watched, 24);
  int status = 0;
  REQUIRE(waitpid(static_cast<pid_t>(watched.game().pid()), &status, 0) > 0);
  CHECK(WEXITSTATUS(status) == 7);  // 9: a thread could not be created
}

TEST_CASE("The preferred function is named after it has been called") {
  const ProbePoint never{kFakeGame, ProgramFile(kFakeGame).placeOf("main"), "never called again"};
  const ProbePoint double1 = present("first");
  WatchedByPerf watched({"rate=240", "frames=1000000"}, {.probes = {never, double1, present("second")}});
  Hello hello = watched.source().hello();
  REQUIRE(hello.watched);
  CHECK(hello.source == "watch");
  CHECK(hello.watched->by == FrameEnd::Function);
  CHECK(hello.watched->mark.empty());
  CHECK(hello.watched->zeroed.grade == Grade::Unavailable);
  CHECK(hello.watched->faultTime.grade == Grade::Unavailable);
  CHECK(hello.watched->samples.grade == Grade::Unavailable);
  watched.collectUntil([&] { return !watched.frames.frames.empty(); });
  CHECK(watched.source().helloChanged());
  CHECK_FALSE(watched.source().helloChanged());
  CHECK(watched.source().hello().watched->mark == "first");
  watched.collectUntil([&] { return watched.frames.frames.size() >= 100; });
  checkExact(watched);
}

TEST_CASE("Perf events notice that a game crashes, or becomes another program") {
  WatchedByPerf crashing({"rate=240", "frames=200", "then=crash"});
  crashing.collectAll();
  CHECK(crashing.frames.state == GameState::Exited);
  checkExact(crashing);
  WatchedByPerf leaving({"rate=240", "frames=200", "then=exec"});
  leaving.collectAll();
  CHECK(leaving.frames.state == GameState::ProgramLeft);
  checkExact(leaving);
}

TEST_CASE("A game that executes the same program again is another program to perf events") {
  WatchedByPerf watched({"rate=240", "frames=200", "then=again"});
  watched.collectAll();
  CHECK(watched.frames.state == GameState::ProgramLeft);
  CHECK(watched.frames.frames.size() < 200);
  checkExact(watched);
}

TEST_CASE("Perf events of a game do not count its child") {
  WatchedByPerf watched({"rate=240", "frames=120", "then=fork"});
  watched.collectAll();
  const auto& frames = watched.frames.frames;
  CHECK(std::ranges::all_of(frames, [&](const GameFrame& frame) { return frame.thread == watched.game().pid(); }));
  CHECK(frames.size() < 240);
  CHECK(watched.frames.lost == 0);
}

TEST_CASE("Once a buffer of perf events was full, the faults are estimated", "[slow]") {
  WatchedByPerf watched({"rate=500", "frames=100", "every=1", "burst=16384"});
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, watched.game().pid(), &ended, WEXITED | WNOWAIT) == 0);  // meanwhile nobody reads
  watched.collectAll();
  const Quality faults = faultQuality(watched);
  CHECK(faults.grade == Grade::Estimated);
  CHECK((faults.how.find("buffer") != std::string::npos));
}

TEST_CASE("Two games are watched by perf events at once, independently") {
  WatchedByPerf one({"rate=500", "frames=600"});
  WatchedByPerf other({"rate=240", "frames=300"});
  one.collectUntil([&] {
    other.source().collect(other.frames, other.samples);
    return one.frames.state != GameState::Running && other.frames.state != GameState::Running;
  });
  for (const Quality& faults : {faultQuality(one), faultQuality(other)})
    if (faults.grade != Grade::Exact) SKIP(faults.how);
  checkExact(one);
  checkExact(other);
}

TEST_CASE("Requested fault samples have address, thread, registers and stack") {
  setenv("FAULTLINE_PADDING", std::string(16384, 'x').c_str(), 1);  // lies behind the game's stack
  for (const SampleMode mode : {SampleMode::Some, SampleMode::All}) {
    WatchedByPerf watched({"rate=240", "frames=1000000", "burst=256"}, {.samples = mode});
    watched.collectUntil([&] { return watched.frames.frames.size() >= 100; });
    const bool all = mode == SampleMode::All;
    CHECK(watched.source().hello().watched->samples.grade == Grade::Exact);
    std::uint64_t faults = 0;
    for (const GameFrame& frame : watched.frames.frames) faults += frame.faults();
    REQUIRE(faults > 0);
    const auto& samples = watched.samples.samples;
    CHECK(samples.size() + watched.samples.lost >= faults / (all ? 1 : 20));
    std::size_t withRegisters = 0;
    for (const FaultSample& sample : samples) {
      REQUIRE(sample.weight == (all ? 1U : 16U));
      REQUIRE_FALSE(sample.major);
      REQUIRE(sample.address != 0);
      REQUIRE((sample.thread == watched.game().pid() || sample.thread != 0));
      REQUIRE(sample.stack.size() <= (all ? 2048U : 8192U));
      REQUIRE(sample.threadName == "fake_game");
      withRegisters += !sample.registers.empty() && !sample.stack.empty() ? 1 : 0;
    }
    CHECK(withRegisters > samples.size() / 2);
    if (!all) CHECK(std::ranges::any_of(samples, [](const FaultSample& sample) { return sample.stack.size() > 4096; }));
  }
  unsetenv("FAULTLINE_PADDING");
}

TEST_CASE("Records that find no room in the buffers are counted") {
  WatchedByPerf watched({"rate=0", "frames=100000000", "pages=2", "burst=2"});
  watched.collectUntil([&] { return watched.frames.frames.size() > 100; });
  const std::uint64_t last = watched.frames.frames.back().number;
  const std::uint64_t before = watched.frames.lost;
  for (int turns = 1; turns <= 32 && watched.frames.lost == before; turns *= 2) {  // a busy machine is slow
    for (int turn = 0; turn < turns; ++turn) pause(500ms);
    watched.source().collect(watched.frames, watched.samples);
  }
  CHECK(watched.frames.lost > before);
  CHECK(watched.frames.invalidMarks == 0);
  watched.collectUntil([&] { return watched.frames.frames.back().number > last + 10'000; });
  std::uint64_t gaps = 0;
  for (std::size_t i = 1; i < watched.frames.frames.size(); ++i) {
    const GameFrame& frame = watched.frames.frames[i];
    const GameFrame& previous = watched.frames.frames[i - 1];
    gaps += frame.number - previous.number - 1;
    if (frame.number == previous.number + 1) REQUIRE(frame.start == previous.start + previous.duration);
  }
  CHECK(gaps == watched.frames.lost);
}

}  // namespace faultline::test

// Real test games, watched by their own marks.
#include "platform/sampling/linux/watch/frame_marks.h"

#include <time.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "tests/support/game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

Result<std::unique_ptr<FrameSource>> watch(const Game& game, const std::string& mark = {}) {
  return openFrameSource({.pid = game.pid(), .mark = mark, .patience = 60s}, systemClock());
}

void idle(Nanoseconds duration) {
  const timespec time{.tv_sec = 0, .tv_nsec = duration.count()};
  nanosleep(&time, nullptr);
}

// Collects until `done`, or for half a minute.
template <class Done>
GameFrameBatch collect(FrameSource& source, Done done) {
  GameFrameBatch batch;
  const MonotonicTime end = systemClock().now() + 30s;
  for (;;) {
    FaultSampleBatch samples;
    source.collect(batch, samples);
    if (done(batch)) return batch;
    REQUIRE(systemClock().now() < end);
    idle(source.hello().interval);
  }
}
GameFrameBatch collectAll(FrameSource& source) {
  return collect(source, [](const GameFrameBatch& batch) { return batch.state != GameState::Running; });
}

std::uint64_t truth(const GameFrame& frame) {
  return frame.number % 50 == 0 ? 8192 : 16;
}

// The frame in which the probe is placed: while the kernel replaces the page of the probe, each of the
// two threads that run in that page may fault once.
std::uint64_t arrivalOfPrograms(const GameFrameBatch& batch) {
  for (const GameFrame& frame : batch.frames)
    if (frame.values.get(FrameMetric::ZeroedBytes)) return frame.number - 1;
  return 0;
}

void checkExact(const GameFrameBatch& batch, std::uint64_t first, std::uint64_t last) {
  REQUIRE_FALSE(batch.frames.empty());
  CAPTURE(batch.frames.front().number, batch.frames.back().number, batch.lost, batch.invalidMarks);
  REQUIRE(batch.frames.size() == last - first + 1);
  const std::uint64_t arrival = arrivalOfPrograms(batch);
  for (const GameFrame& frame : batch.frames) {
    CAPTURE(frame.number);
    REQUIRE(frame.number == first + static_cast<std::uint64_t>(&frame - batch.frames.data()));
    const std::uint64_t probe = frame.number == arrival ? frame.values.minorFaults() - truth(frame) : 0;
    REQUIRE(probe <= 2);
    REQUIRE(frame.values.minorFaults() == truth(frame) + probe);
    REQUIRE(frame.values.majorFaults() == 0);
    REQUIRE(frame.values.get(FrameMetric::ThreadMinorFaults).value_or(0) - truth(frame) / 2 <=
            std::min<std::uint64_t>(probe, 1));
    REQUIRE(frame.values.get(FrameMetric::ThreadMajorFaults) == 0U);
  }
  CHECK(batch.lost == 0);
  CHECK(batch.invalidMarks == 0);
}

}  // namespace

TEST_CASE("Every frame of a game is reported with its exact faults, at 240 and at 1000 frames per second",
          "[in time]") {
  for (const char* rate : {"rate=240", "rate=1000"}) {
    const Game game({rate, "frames=500"});
    const auto source = watch(game);
    REQUIRE(source);
    const GameFrameBatch batch = collectAll(**source);
    CHECK(batch.state == GameState::Exited);
    checkExact(batch, 2, 500);
  }
}

TEST_CASE("With BPF programs, frames also have zeroed bytes and time inside faults") {
  const Game game({"rate=240", "frames=600"});
  const auto source = watch(game);
  REQUIRE(source);
  const GameFrameBatch batch = collectAll(**source);
  checkExact(batch, 2, 600);
  const Hello hello = (*source)->hello();
  if (hello.watched->zeroed.grade == Grade::Unavailable) {
    CHECK_FALSE(hello.watched->zeroed.how.empty());
    CHECK(std::ranges::none_of(
        batch.frames, [](const GameFrame& frame) { return frame.values.get(FrameMetric::ZeroedBytes).has_value(); }));
    SKIP(hello.watched->zeroed.how);
  }
  CHECK_FALSE(batch.frames.front().values.get(FrameMetric::ZeroedBytes));  // from before the programs were attached
  const auto first = std::ranges::find_if(
      batch.frames, [](const GameFrame& f) { return f.values.get(FrameMetric::ZeroedBytes).has_value(); });
  CHECK(batch.frames.end() - first > 50);
  for (auto frame = first; frame != batch.frames.end(); ++frame) {
    CAPTURE(frame->number);
    REQUIRE(frame->values.get(FrameMetric::ZeroedBytes).value_or(0) >= truth(*frame) * 4096);
    if (!initOnAlloc().value_or(false))  // else any page that the kernel takes meanwhile is cleared
      REQUIRE(frame->values.get(FrameMetric::ZeroedBytes).value_or(0) <=
              (truth(*frame) + truth(*frame) / 512 + 3) * 4096);
    REQUIRE(frame->values.get(FrameMetric::ThreadZeroedBytes).value_or(0) >= truth(*frame) * 2048);
    REQUIRE(frame->values.time(FrameMetric::FaultTime).value_or(0ns) > 0ns);
  }
}

TEST_CASE("Hello of a watched game has the game, the mark and the quality of the numbers") {
  const Game game({"frames=20", "then=linger", "mark=draw loop"});
  const auto source = watch(game, "draw loop");
  REQUIRE(source);
  const Hello hello = (*source)->hello();
  CHECK(hello.source == "watch");
  REQUIRE(hello.watched);
  CHECK(hello.watched->pid == game.pid());
  CHECK(hello.watched->name == "fake_game");
  CHECK(hello.watched->mark == "draw loop");
  CHECK(hello.watched->faults.grade == Grade::Exact);
}

TEST_CASE("All frames that a killed game marked are reported") {
  const Game game({"frames=200", "rate=1000", "then=linger"});
  const auto source = watch(game);
  REQUIRE(source);
  GameFrameBatch batch = collect(**source, [](const GameFrameBatch& b) { return b.frames.size() >= 150; });
  game.crash();
  const GameFrameBatch rest = collectAll(**source);
  CHECK(rest.state == GameState::Exited);
  batch.frames.insert(batch.frames.end(), rest.frames.begin(), rest.frames.end());
  batch.state = rest.state;
  checkExact(batch, 2, batch.frames.back().number);
}

TEST_CASE("A game that becomes another program ends the watch normally", "[in time]") {
  const Game game({"frames=60", "then=exec"});
  const auto source = watch(game);
  REQUIRE(source);
  const GameFrameBatch batch = collectAll(**source);
  CHECK(batch.state == GameState::ProgramLeft);
  checkExact(batch, 2, 60);
}

TEST_CASE("A game that forks is watched further, and its child has frames of its own") {
  const Game game({"frames=60", "then=fork"});
  const auto source = watch(game);
  REQUIRE(source);
  const GameFrameBatch batch = collectAll(**source);
  REQUIRE(batch.frames.size() == 119);
  CHECK(batch.lost == 0);
  CHECK(std::ranges::all_of(batch.frames, [&](const GameFrame& frame) { return frame.thread == game.pid(); }));
}

TEST_CASE("Two watchers watch the same game at once, and a late watcher begins at the present frame", "[in time]") {
  const Game game({"frames=1200", "rate=400"});
  const auto first = watch(game);
  REQUIRE(first);
  GameFrameBatch early = collect(**first, [](const GameFrameBatch& b) { return b.frames.size() >= 1000; });
  const auto second = watch(game);  // two and a half seconds later
  REQUIRE(second);
  const GameFrameBatch late = collectAll(**second);
  const GameFrameBatch rest = collectAll(**first);
  early.frames.insert(early.frames.end(), rest.frames.begin(), rest.frames.end());
  checkExact(early, 2, 1200);
  REQUIRE_FALSE(late.frames.empty());
  CHECK(late.frames.front().number > 1000);
  CHECK(late.frames.back().number == 1200);
}

TEST_CASE("The error for a game that cannot be watched has the reason") {
  const Game game({"frames=20", "then=linger"});
  REQUIRE(watch(game));
  const auto message = [](const WatchOptions& options) {
    const auto source = openFrameSource(options, systemClock());
    REQUIRE_FALSE(source);
    return source.error().message;
  };
  CHECK(message({.pid = game.pid(), .mark = "physics"}).find("no frame mark called 'physics'") != std::string::npos);
  CHECK(message({.pid = static_cast<std::uint32_t>(getpid()), .mark = {}}).find("marks no frames") !=
        std::string::npos);
  CHECK(message({.pid = 4'000'000, .mark = {}}) == "There is no process 4000000.");
}

}  // namespace faultline::test

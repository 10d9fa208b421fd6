// Real games of our own making that know nothing of Faultline, watched by BPF at calls of one of their functions.
#include "platform/linux/frame_bpf_linux.h"

#include <time.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/function_place.h"
#include "tests/support/game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

const std::string kGame = FAULTLINE_BIN "/fake_game";

ProbePoint present(const std::string& name = "fakeGamePresent") {
  return {.file = kGame, .offset = fakeGamePresent(), .name = name};
}

void pause(Nanoseconds duration) {
  const timespec time{.tv_sec = 0, .tv_nsec = duration.count()};
  nanosleep(&time, nullptr);
}

// A game that has begun to play, and its watcher; skips the test where there can be none.
class Watched {
 public:
  explicit Watched(std::vector<std::string> arguments, WatchOptions options = {}) : m_game(silent(arguments)) {
    options.pid = m_game.pid();
    if (options.probes.empty()) options.probes = {present()};
    while (!m_target) m_target.emplace(openTarget());
    std::vector<ProbeFile> files;
    for (const ProbePoint& point : options.probes) {
      auto file = ProbeFile::open(*m_target, point);
      REQUIRE(file);
      files.push_back(std::move(*file));
    }
    auto opened = openBpfFrames(*m_target, files, options, systemClock());
    if (!opened) SKIP(opened.error().why);
    m_source = std::move(*opened);
  }

  [[nodiscard]] const Game& game() const { return m_game; }
  [[nodiscard]] FrameSource& source() const { return *m_source; }
  GameFrameBatch frames;
  FaultSampleBatch samples;

  template <class Done>
  void collectUntil(Done done) {
    const MonotonicTime end = systemClock().now() + 60s;
    for (;;) {
      m_source->collect(frames, samples);
      if (done()) return;
      REQUIRE(systemClock().now() < end);
      pause(10ms);
    }
  }
  void collectAll() {
    collectUntil([this] { return frames.state != GameState::Running; });
  }

 private:
  static std::vector<std::string> silent(std::vector<std::string> arguments) {
    arguments.emplace_back("mark=");
    return arguments;
  }
  // Once our child has become the game.
  [[nodiscard]] WatchTarget openTarget() const {
    for (;;) {
      auto target = WatchTarget::open(m_game.pid());
      REQUIRE(target);
      if (target->name() == "fake_game" && ProbeFile::open(*target, present())) return std::move(*target);
      pause(1ms);
    }
  }

  Game m_game;
  std::optional<WatchTarget> m_target;
  std::unique_ptr<FrameSource> m_source;
};

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
  CHECK(batch.nonsense == 0);
}

std::size_t onlyPages(const GameFrameBatch& batch) {
  return static_cast<std::size_t>(std::ranges::count_if(
      batch.frames, [](const GameFrame& frame) { return frame.zeroedBytes == frame.minorFaults * 4096; }));
}

}  // namespace

TEST_CASE("BPF tells every frame of a game with its exact faults, at 240 and at 1000 frames a second") {
  for (const char* rate : {"rate=240", "rate=1000"}) {
    Watched watched({rate, "frames=600"});
    watched.collectAll();
    CHECK(watched.frames.state == GameState::Exited);
    CHECK(watched.frames.frames.size() > 100);
    checkExact(watched.frames);
    CHECK(onlyPages(watched.frames) > watched.frames.frames.size() / 2);  // in the others page tables were made, too
  }
}

TEST_CASE("Two games are watched at once, each for itself") {
  Watched one({"rate=500", "frames=600"});
  Watched other({"rate=240", "frames=300"});
  one.collectAll();
  other.collectAll();
  checkExact(one.frames);
  checkExact(other.frames);
}

TEST_CASE("A game that is not watched is not counted, though it runs the same code") {
  Watched watched({"rate=240", "frames=300"});
  const Game stranger({"rate=0", "frames=100000", "mark=", "every=1000000"});
  watched.collectAll();
  checkExact(watched.frames);
  CHECK(watched.frames.frames.size() < 300);
}

TEST_CASE("The mark is told by name once it has been called, the preferred one of those that are") {
  Watched watched({"rate=240", "frames=300"}, {.probes = {{kGame, fakeGamePresent(), "first"}, present("second")}});
  CHECK(watched.source().hello().watched->method == "uprobe");
  watched.collectUntil([&] { return !watched.frames.frames.empty(); });
  CHECK(watched.source().helloChanged());
  CHECK_FALSE(watched.source().helloChanged());
  CHECK(watched.source().hello().watched->mark == "first");
  CHECK(watched.source().hello().watched->faults.grade == Grade::Exact);
  watched.collectAll();
  checkExact(watched.frames);
}

TEST_CASE("BPF notices that a game crashes, or becomes another program") {
  Watched crashing({"rate=240", "frames=200", "then=crash"});
  crashing.collectAll();
  CHECK(crashing.frames.state == GameState::Exited);
  checkExact(crashing.frames);
  Watched leaving({"rate=240", "frames=200", "then=exec"});
  leaving.collectAll();
  CHECK(leaving.frames.state == GameState::ProgramLeft);
  checkExact(leaving.frames);
}

TEST_CASE("A game's child is another process, whose frames and faults are its own") {
  Watched watched({"rate=240", "frames=120", "then=fork"});
  watched.collectAll();
  CHECK(std::ranges::all_of(watched.frames.frames,
                            [&](const GameFrame& frame) { return frame.thread == watched.game().pid(); }));
  CHECK(watched.frames.frames.size() < 240);
  CHECK(watched.frames.lost == 0);
}

}  // namespace faultline::test

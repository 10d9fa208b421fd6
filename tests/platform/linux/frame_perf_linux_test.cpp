// Real games of our own making, watched by perf events and breakpoints at their present function.
#include "platform/linux/frame_perf_linux.h"

#include <time.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "tests/support/function_place.h"
#include "tests/support/game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

void pause(Nanoseconds duration) {
  const timespec time{.tv_sec = 0, .tv_nsec = duration.count()};
  nanosleep(&time, nullptr);
}

ProbePoint presentOf(const std::string& program = "fake_game") {
  return {.file = std::filesystem::canonical(FAULTLINE_BIN "/" + program).string(),
          .offset = fakeGamePresent(),
          .name = "fakeGamePresent"};
}

// As soon as the game has become itself. Skips the test where the kernel lets nobody do this.
std::unique_ptr<FrameSource> watch(const Game& game, SampleMode samples = SampleMode::None) {
  const WatchOptions options{.pid = game.pid(), .probes = {presentOf()}, .samples = samples};
  const MonotonicTime end = systemClock().now() + 10s;
  for (;;) {
    auto target = WatchTarget::open(game.pid());
    REQUIRE(target);
    auto function = ProbeFile::open(*target, options.probes.front());
    REQUIRE((function || systemClock().now() < end));
    if (!function) {
      pause(1ms);
      continue;
    }
    std::vector<ProbeFile> functions;
    functions.push_back(std::move(*function));
    auto source = PerfFrames::open(std::move(*target), options, functions, systemClock());
    if (!source) SKIP(source.error().message);
    return std::move(*source);
  }
}

template <class Done>
GameFrameBatch collect(FrameSource& source, FaultSampleBatch& samples, Done done) {
  GameFrameBatch batch;
  const MonotonicTime end = systemClock().now() + 60s;
  for (;;) {
    source.collect(batch, samples);
    static_cast<void>(source.helloChanged());
    if (done(batch)) return batch;
    REQUIRE(systemClock().now() < end);
    pause(source.hello().interval);
  }
}
GameFrameBatch collectAll(FrameSource& source) {
  FaultSampleBatch samples;
  return collect(source, samples, [](const GameFrameBatch& batch) { return batch.state != GameState::Running; });
}

// 16 faults a frame, half of them the presenting thread's, and 8192 in every 50th.
void checkExact(const GameFrameBatch& batch, std::uint32_t thread) {
  CHECK(batch.lost == 0);
  CHECK(batch.nonsense == 0);
  std::optional<std::size_t> burst;
  for (std::size_t i = 0; i < batch.frames.size(); ++i) {
    const GameFrame& frame = batch.frames[i];
    CAPTURE(i, frame.minorFaults, frame.ownMinorFaults.value_or(999), frame.duration.count());
    if (i > 0) REQUIRE(frame.start == batch.frames[i - 1].start + batch.frames[i - 1].duration);
    REQUIRE((frame.minorFaults == 16 || frame.minorFaults == 8192));
    REQUIRE(frame.majorFaults == 0);
    REQUIRE(frame.ownMinorFaults == frame.minorFaults / 2);
    REQUIRE(frame.thread == thread);
    if (frame.minorFaults == 16) continue;
    if (burst) REQUIRE(i == *burst + 50);
    burst = i;
  }
}

}  // namespace

TEST_CASE("Perf events tell every frame of a game with its exact faults, at 240 and at 1000 frames a second") {
  for (const char* rate : {"rate=240", "rate=1000"}) {
    const Game game({rate, "frames=500", "mark="});
    const auto source = watch(game);
    const GameFrameBatch batch = collectAll(*source);
    CHECK(batch.state == GameState::Exited);
    CHECK(batch.frames.size() > 300);
    checkExact(batch, game.pid());
    const Hello hello = source->hello();
    REQUIRE(hello.watched);
    CHECK(hello.watched->method == "uprobe");
    CHECK(hello.watched->mark == "fakeGamePresent");
  }
}

}  // namespace faultline::test

// Real test games, read at an assumed rate.
#include "platform/sampling/linux/watch/frame_clock.h"

#include <fcntl.h>
#include <time.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "core/parse/proc_stat.h"
#include "tests/support/game.h"
#include "tests/support/workload.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<FrameSource> watch(std::uint32_t pid, std::uint32_t rate) {
  auto target = WatchTarget::open(pid);
  REQUIRE(target);
  return ClockedFrames::open(std::move(*target), {.pid = pid, .assumedRate = rate}, systemClock(),
                             {.why = "BPF is refused", .enable = {}});
}

void sleepUntil(MonotonicTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.sinceEpoch);
  const timespec deadline{.tv_sec = seconds.count(), .tv_nsec = (time.sinceEpoch - seconds).count()};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr);
}

std::uint64_t minorFaultsOf(std::uint32_t pid) {
  const UniqueFd file(open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text{};
  const ssize_t count = read(file.get(), text.data(), text.size());
  REQUIRE(count > 0);
  const auto stat = parseProcStat({text.data(), static_cast<std::size_t>(count)});
  REQUIRE(stat);
  return stat->minorFaults;
}

// Returns when the process is stopped.
void stop(const Game& game) {
  kill(static_cast<pid_t>(game.pid()), SIGSTOP);
  REQUIRE(waitpid(static_cast<pid_t>(game.pid()), nullptr, WUNTRACED) == static_cast<pid_t>(game.pid()));
}

std::uint64_t sumOf(const GameFrameBatch& batch) {
  std::uint64_t sum = 0;
  for (const GameFrame& frame : batch.frames) sum += frame.values.minorFaults();
  return sum;
}

}  // namespace

TEST_CASE("Read a thousand times per second, the frames of a game contain all its faults and all its time") {
  const Game game({"rate=240", "frames=100000", "mark="});
  auto source = watch(game.pid(), 1000);
  GameFrameBatch batch;
  FaultSampleBatch samples;
  stop(game);
  source->collect(batch, samples);
  const std::uint64_t before = minorFaultsOf(game.pid());
  batch.frames.clear();
  kill(static_cast<pid_t>(game.pid()), SIGCONT);

  MonotonicTime due = systemClock().now();
  const MonotonicTime end = due + 60s;
  while (sumOf(batch) < 50'000 && due < end) {
    due = due + 1ms;
    sleepUntil(due);
    source->collect(batch, samples);
  }
  stop(game);
  source->collect(batch, samples);
  CHECK(sumOf(batch) >= 50'000);
  CHECK(minorFaultsOf(game.pid()) - before == sumOf(batch));
  for (std::size_t i = 1; i < batch.frames.size(); ++i) {
    const GameFrame& last = batch.frames[i - 1];
    REQUIRE(batch.frames[i].start == last.start + last.duration);
    REQUIRE(batch.frames[i].number == last.number + 1);
  }
  CHECK(batch.lost == 0);
}

TEST_CASE("A late reading makes a longer frame") {
  Workload idle([](int) {});
  auto source = watch(static_cast<std::uint32_t>(idle.pid()), 1000);
  GameFrameBatch batch;
  FaultSampleBatch samples;
  source->collect(batch, samples);
  sleepUntil(systemClock().now() + 30ms);
  source->collect(batch, samples);
  REQUIRE(batch.frames.size() == 1);
  CHECK(batch.frames.front().duration >= 30ms);
  CHECK(batch.lost == 0);
  CHECK(source->hello().watched->by == FrameEnd::AssumedRate);
  CHECK(source->hello().watched->faults.grade == Grade::Estimated);
  CHECK(source->hello().watched->faultTime.how == "BPF is refused");
}

}  // namespace faultline::test

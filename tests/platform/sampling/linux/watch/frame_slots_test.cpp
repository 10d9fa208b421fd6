// A program with known rounds of faults, in slots of an assumed length whose ends BPF programs note.
#include "platform/sampling/linux/watch/frame_slots.h"

#include <sys/mman.h>
#include <time.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "tests/support/skip_unavailable.h"
#include "tests/support/workload.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSlotPage = 4096;
constexpr std::uint64_t kPagesPerFrame = 50;
constexpr int kRounds = 8;
constexpr Nanoseconds kSlot = 1ms;

void touchAnew() {
  void* const memory =
      mmap(nullptr, kPagesPerFrame * kSlotPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  madvise(memory, kPagesPerFrame * kSlotPage, MADV_NOHUGEPAGE);
  auto* const bytes = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; i < kPagesPerFrame; ++i) bytes[i * kSlotPage] = 1;
  munmap(memory, kPagesPerFrame * kSlotPage);
}

void pauseFor(Nanoseconds duration) {
  const timespec time{.tv_sec = 0, .tv_nsec = duration.count()};
  nanosleep(&time, nullptr);
}

std::unique_ptr<FrameSource> watch(const Workload& program, bool stacks = true) {
  auto target = WatchTarget::open(static_cast<std::uint32_t>(program.pid()));
  REQUIRE(target);
  auto source = openSlottedFrames(
      *target, {.pid = target->pid(), .assumedRate = 1000, .samples = SampleMode::All, .stacks = stacks},
      systemClock());
  if (!source) SKIP(source.error().why);
  return std::move(*source);
}

}  // namespace

TEST_CASE("However late it is read, each slot of an assumed length has the faults of its own time") {
  const Workload program([](int) { touchAnew(); });
  const auto source = watch(program);
  const WatchedGame game = *source->hello().watched;
  CHECK(game.by == FrameEnd::AssumedRate);
  CHECK(game.faults.grade == Grade::Estimated);
  struct Span {
    MonotonicTime begin, end;
  };
  std::vector<Span> rounds;
  for (int i = 0; i < kRounds; ++i) {
    const MonotonicTime begin = systemClock().now();
    program.next();
    rounds.push_back({begin, systemClock().now()});
    pauseFor(5 * kSlot);
  }
  GameFrameBatch batch;
  FaultSampleBatch samples;
  source->collect(batch, samples);

  REQUIRE_FALSE(batch.frames.empty());
  CHECK(batch.lost == 0);
  CHECK(batch.frames.back().end() > rounds.back().end);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < batch.frames.size(); ++i) {
    const GameFrame& frame = batch.frames[i];
    REQUIRE(frame.number == i + 1);
    REQUIRE(frame.duration == kSlot);
    REQUIRE(frame.start == batch.frames.front().start + kSlot * static_cast<std::int64_t>(i));
    CHECK_FALSE(frame.values.get(FrameMetric::ThreadMinorFaults));
    sum += frame.values.minorFaults();
  }
  std::uint64_t inRounds = 0;
  for (const auto& [begin, end] : rounds) {
    std::uint64_t faults = 0;
    std::uint64_t zeroed = 0;
    Nanoseconds took{0};
    for (const GameFrame& frame : batch.frames) {
      if (frame.end() <= begin || frame.start >= end) continue;
      faults += frame.values.minorFaults();
      zeroed += frame.values.get(FrameMetric::ZeroedBytes).value_or(0);
      took += frame.values.time(FrameMetric::FaultTime).value_or(Nanoseconds(0));
    }
    CHECK(faults >= kPagesPerFrame);
    if (game.zeroed.grade != Grade::Unavailable) CHECK(zeroed >= kPagesPerFrame * kSlotPage);
    if (game.faultTime.grade == Grade::Unavailable) continue;
    CHECK(took > Nanoseconds(0));
    CHECK(took <= end - begin);
    inRounds += faults;
  }
  if (game.faultTime.grade != Grade::Unavailable) CHECK(inRounds == sum);
  if (game.samples.grade != Grade::Unavailable) CHECK(samples.samples.size() + samples.lost == sum);
}

TEST_CASE("Every fault can be told without its stack: with its thread, time, address and mapping") {
  const Workload program([](int) { touchAnew(); });
  const auto source = watch(program, false);
  skipIfUnavailable(source->hello().watched->samples);
  program.next();
  GameFrameBatch batch;
  FaultSampleBatch samples;
  source->collect(batch, samples);
  CHECK(samples.lost == 0);
  REQUIRE(samples.samples.size() >= kPagesPerFrame);
  for (const FaultSample& sample : samples.samples) {
    REQUIRE(sample.thread == static_cast<std::uint32_t>(program.pid()));
    REQUIRE(sample.weight == 1);
    REQUIRE(sample.took > Nanoseconds(0));
    REQUIRE(sample.address != 0);
    REQUIRE(sample.stack.empty());
  }
}

TEST_CASE("A program that has exited tells the faults after its last whole slot") {
  auto program = std::make_unique<Workload>([](int) { touchAnew(); });
  const auto source = watch(*program);
  program->next();
  program.reset();
  GameFrameBatch batch;
  FaultSampleBatch samples;
  source->collect(batch, samples);
  CHECK(batch.state == GameState::Exited);
  REQUIRE(batch.faultsAfter);
  std::uint64_t sum = *batch.faultsAfter;
  for (const GameFrame& frame : batch.frames) sum += frame.values.minorFaults();
  CHECK(sum >= kPagesPerFrame);
}

TEST_CASE("A program that executes another one is read on from /proc, with its numbers of frames") {
  const Workload program([](int round) {
    if (round == 1) execl("/bin/sleep", "sleep", "60", nullptr);
  });
  const auto source = watch(program);
  program.begin();
  GameFrameBatch batch;
  FaultSampleBatch samples;
  const MonotonicTime end = systemClock().now() + 60s;
  while (!source->helloChanged() && systemClock().now() < end) {
    source->collect(batch, samples);
    pauseFor(kSlot);
  }
  CHECK(source->hello().watched->faultTime.grade == Grade::Unavailable);
  const std::size_t before = batch.frames.size();
  for (int i = 0; i < 3; ++i) source->collect(batch, samples);
  REQUIRE(batch.frames.size() == before + 3);  // the first begins where the last slot has ended
  for (std::size_t i = 1; i < batch.frames.size(); ++i) CHECK(batch.frames[i].number == batch.frames[i - 1].number + 1);
  CHECK(batch.state == GameState::Running);
}

}  // namespace faultline::test

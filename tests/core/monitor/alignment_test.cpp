#include "core/monitor/alignment.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds kWallOfBoot = 500'000h;

// One sample a second from `begin` on, on a machine that started `boot` after kWallOfBoot. "make" is started at
// `makes`, two of them a second apart, unless that is 0.
struct Run {
  Nanoseconds begin = 100s;
  Nanoseconds boot = 0s;
  Nanoseconds makes = 0s;
  int samples = 20;
  Nanoseconds sleepsAt = 0s;  // for an hour
};

Monitor monitorOf(const Run& run) {
  Monitor monitor;
  Hello hello;
  hello.interval = 1s;
  monitor.ingest(hello);
  for (int i = 0; i < run.samples; ++i) {
    Snapshot snapshot;
    snapshot.time = {run.begin + i * 1s};
    snapshot.suspended = run.sleepsAt > 0s && snapshot.time.sinceEpoch >= run.sleepsAt ? Nanoseconds(1h) : 0ns;
    snapshot.wallTime = {kWallOfBoot + run.boot + snapshot.time.sinceEpoch + snapshot.suspended};
    const auto add = [&](std::uint32_t pid, Nanoseconds start, const std::string& name) {
      if (start - snapshot.suspended > snapshot.time.sinceEpoch) return;
      ProcessSample& sample = snapshot.processes.emplace_back();
      sample.key = {pid, static_cast<std::uint64_t>(start.count())};
      sample.name = name;
      sample.values.set(ProcessMetric::MinorFaults, static_cast<std::uint64_t>(i));
    };
    add(1, 1s, "init");
    if (run.makes > 0s) add(7, run.makes, "make");
    if (run.makes > 0s) add(8, run.makes + 1s, "make");
    monitor.ingest(snapshot);
  }
  return monitor;
}

}  // namespace

TEST_CASE("Two recordings are aligned by start, whichever of them is earlier") {
  const Monitor first = monitorOf({.begin = 100s});
  const Monitor second = monitorOf({.begin = 4000s});
  CHECK(shiftByStart(first.history(), second.history()) == -3900s);
  CHECK(shiftByStart(second.history(), first.history()) == 3900s);
  CHECK(laterBy(first.history(), second.history(), -3900s, {100s}) == 3900s);
  CHECK(laterBy(second.history(), first.history(), 3900s, {4000s}) == -3900s);
}

TEST_CASE("Two recordings are aligned by their wall clocks, though their machines started at other times") {
  const Monitor first = monitorOf({.begin = 100s, .boot = 1h});
  const Monitor second = monitorOf({.begin = 50s, .boot = 1h + 57s});
  CHECK(shiftByClock(first.history(), second.history(), 0s) == 57s);
  CHECK(laterBy(first.history(), second.history(), 57s, {105s}) == 0s);
  CHECK(shiftByClock(first.history(), second.history(), -24h) == 57s - 24h);
  CHECK(laterBy(first.history(), second.history(), 57s - 24h, {105s}) == 24h);
}

TEST_CASE("Two recordings are aligned by the first start of a program, also behind a suspend") {
  const Monitor first = monitorOf({.begin = 100s, .makes = 104s});
  const Monitor second = monitorOf({.begin = 700s, .makes = 715s});
  CHECK(shiftByProgram(first, second, "make") == -611s);
  const Monitor slept = monitorOf({.begin = 700s, .makes = 715s + 1h, .sleepsAt = 705s});
  CHECK(shiftByProgram(first, slept, "make") == -611s);
}

TEST_CASE("A program that was there before, or never, aligns nothing") {
  const Monitor first = monitorOf({.begin = 100s, .makes = 104s});
  CHECK_FALSE(shiftByProgram(first, monitorOf({.begin = 700s, .makes = 300s}), "make"));
  CHECK_FALSE(shiftByProgram(first, monitorOf({.begin = 700s}), "make"));
  CHECK_FALSE(shiftByProgram(first, first, "init"));
}

TEST_CASE("A recording without a snapshot is aligned with nothing") {
  const Monitor first = monitorOf({});
  const Monitor empty;
  CHECK_FALSE(shiftByStart(first.history(), empty.history()));
  CHECK_FALSE(shiftByClock(empty.history(), first.history(), 0s));
  CHECK_FALSE(shiftByProgram(first, empty, "make"));
  CHECK_FALSE(counterpart(first, {1, 1'000'000'000}, empty, 0s));
}

TEST_CASE("A process has a counterpart of its name, of several the one that started nearest") {
  const Monitor first = monitorOf({.begin = 100s, .makes = 104s});
  const Monitor second = monitorOf({.begin = 700s, .makes = 715s});
  const auto key = [](std::uint32_t pid, std::int64_t seconds) {
    return ProcessKey{pid, static_cast<std::uint64_t>(seconds) * 1'000'000'000};
  };
  CHECK(counterpart(first, key(7, 104), second, -611s) == key(7, 715));
  CHECK(counterpart(first, key(8, 105), second, -611s) == key(8, 716));
  CHECK(counterpart(first, key(7, 104), second, -612s) == key(8, 716));
  CHECK(counterpart(first, key(1, 1), second, -611s) == key(1, 1));
  CHECK_FALSE(counterpart(first, key(7, 104), monitorOf({.begin = 700s}), 0s));
  CHECK_FALSE(counterpart(first, key(9, 9), second, 0s));
}

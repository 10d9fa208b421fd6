// Perfetto traces, read back by Perfetto's own package.
#include <catch2/catch_test_macros.hpp>

#include "core/frames/files/formats.h"
#include "tests/core/python.h"
#include "tests/support/some_samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

std::string readBack(const std::string& trace) {
  const auto lines = runPython("perfetto/read_trace.py", trace);
  if (!lines) SKIP("There is no python3 on this machine.");
  if (lines->starts_with("missing:")) SKIP("Python's package perfetto is not installed: " + *lines);
  return *lines;
}

Moment momentAt(Nanoseconds time, std::uint64_t faults) {
  Moment moment;
  moment.time = {time};
  moment.wallTime = {1000s + time};
  moment.interval = 1s;
  moment.gap = Gap::None;
  ProcessRow row{{7, 3}, "ga\xffme", {}, {}};
  row.values.set(ProcessMetric::CommitBytes, 4096);
  row.deltas.set(ProcessMetric::MinorFaults, faults);
  row.deltas.set(ProcessMetric::FaultTime, 1'500'000);
  moment.rows.push_back(row);
  return moment;
}

}  // namespace

TEST_CASE("Frames become slices with their numbers, and counters, on the steady clock") {
  WatchedGame game;
  game.pid = 42;
  game.name = "game";
  const auto frames = perfettoFrames();
  std::string trace;
  frames->begin({game, ""}, trace);
  GameFrame frame;
  frame.start = {5s};
  frame.duration = 16ms;
  frame.thread = 43;
  frame.values.set(FrameMetric::MinorFaults, 300);
  frames->add({frame, {}}, trace);
  frame.start = frame.end();
  frame.duration = 40ms;
  frame.values.set(FrameMetric::MajorFaults, 2);
  FrameVerdict late;
  late.late = late.lateByFaults = true;
  frames->add({frame, late, "97 % in Level::load"}, trace);
  frames->end(trace);
  const std::string read = readBack(trace);
  CHECK(read ==
        "clocks 3=5000000000 primary 3\n"
        "5000000000 game (42)/Frames of thread 43 begin 'frame' 16000000 -\n"
        "5000000000 game (42)/Minor faults per frame unit 2 300\n"
        "5000000000 game (42)/Major faults per frame unit 2 0\n"
        "5016000000 game (42)/Frames of thread 43 end\n"
        "5016000000 game (42)/Frames of thread 43 begin 'frame, late by page faults' 40000000 97 % in Level::load\n"
        "5016000000 game (42)/Minor faults per frame unit 2 300\n"
        "5016000000 game (42)/Major faults per frame unit 2 2\n"
        "5056000000 game (42)/Frames of thread 43 end\n");
}

TEST_CASE(
    "Sampled faults become slices in a row of their thread, by their end and their time; untimed ones are instants") {
  WatchedGame game;
  game.pid = 42;
  game.name = "game";
  const auto frames = perfettoFrames();
  std::string trace;
  frames->begin({game, ""}, trace);
  GameFrame frame;
  frame.start = {5s};
  frame.duration = 16ms;
  frame.thread = 43;
  std::vector<FaultSample> faults{sampleAt(5s + 4ms), sampleAt(5s + 5ms), sampleAt(5s + 6ms)};
  faults[0].took = 30us;
  faults[0].calls = callsOf({codeOf("Level::load", 212)});
  faults[1].took = 2ms;  // more than the time since the last one: a rounded time
  faults[1].major = true;
  faults[2].thread = 78;
  frames->add({frame, {}, {}, nullptr, {}, faults}, trace);
  frames->end(trace);
  const std::string read = readBack(trace);
  const std::string row = " game (42)/Page faults of thread 77 (loader) ";
  CHECK(read.ends_with("5003970000" + row + "begin 'page fault' 1 Level::load (level.cpp:212)\n5004000000" + row +
                       "end\n5004000000" + row + "begin 'major page fault' 1 -\n5005000000" + row +
                       "end\n5006000000 game (42)/Page faults of thread 78 (loader) instant 'page fault' 1 -\n"));
}

TEST_CASE("Moments and ranges become counters of each process, in their units") {
  History history;
  const auto moments = perfettoMoments();
  std::string trace;
  moments->begin(Hello(), trace);
  for (const Moment& moment : {momentAt(10s, 50), momentAt(11s, 70)}) {
    moments->add(moment, trace);
    history.add(moment);
  }
  moments->end(trace);
  const std::string counters =
      "10000000000 ga\\xffme (7)/Minor faults per second unit 2 50\n"
      "10000000000 ga\\xffme (7)/Commit unit 3 4096\n"
      "10000000000 ga\\xffme (7)/Fault time per second unit 1 1.5e+06\n"
      "11000000000 ga\\xffme (7)/Minor faults per second unit 2 70\n"
      "11000000000 ga\\xffme (7)/Commit unit 3 4096\n"
      "11000000000 ga\\xffme (7)/Fault time per second unit 1 1.5e+06\n";
  const std::string present = readBack(trace);
  CHECK(present == "clocks 3=10000000000 1=1010000000000 primary 3\n" + counters);

  const auto range = perfettoRange();
  std::string past;
  range->begin(Hello(), past);
  range->add({history, {7, 3}, {10s}, {11s}}, past);
  range->end(past);
  const std::string earlier = readBack(past);
  CHECK(earlier == "clocks 3=10000000000 1=1010000000000 primary 3\n" + counters);
}

}  // namespace faultline::test

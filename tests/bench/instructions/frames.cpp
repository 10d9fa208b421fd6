// The frames of a game: joining of marks, of another tool's frames with faults, and the judge.
#include <array>
#include <random>
#include <vector>

#include "core/frames/judge.h"
#include "core/join/live_join.h"
#include "core/marks/joiner.h"
#include "tests/bench/instructions/cases.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// The marks of a game at 60 Hz with some late frames.
std::vector<FrameMark> marks() {
  std::vector<FrameMark> marks;
  std::minstd_rand random;
  FrameMark mark;
  mark.thread = 1;
  mark.values.set(FrameMetric::ZeroedBytes, 0);
  mark.values.set(FrameMetric::ThreadZeroedBytes, 0);
  mark.values.set(FrameMetric::FaultTime, 0ns);
  mark.values.set(FrameMetric::ThreadFaultTime, 0ns);
  for (int i = 0; i < 6000; ++i) {
    const std::uint64_t faults = random() % 100 == 0 ? 3000 : random() % 200;
    const Nanoseconds inFaults(static_cast<std::int64_t>(faults) * 2000);
    ++mark.number;
    mark.time = mark.time + 16'600us + Nanoseconds(random() % 100'000) + (faults == 3000 ? inFaults : 0ns);
    FrameValues& values = mark.values;
    values.grow(FrameMetric::MinorFaults, faults);
    values.grow(FrameMetric::ThreadMinorFaults, faults / 2);
    values.grow(FrameMetric::ZeroedBytes, faults * 4096);
    values.grow(FrameMetric::ThreadZeroedBytes, faults * 2048);
    values.grow(FrameMetric::FaultTime, static_cast<std::uint64_t>(inFaults.count()));
    values.grow(FrameMetric::ThreadFaultTime, static_cast<std::uint64_t>(inFaults.count()) / 2);
    marks.push_back(mark);
  }
  return marks;
}

std::vector<GameFrame> joined(const std::vector<FrameMark>& marks) {
  std::vector<GameFrame> frames;
  MarkJoiner joiner;
  for (const FrameMark& mark : marks)
    if (const auto frame = joiner.add(mark, {24h})) frames.push_back(*frame);
  return frames;
}

std::uint64_t joinMarks() {
  std::uint64_t found = 0;
  const auto given = marks();
  for (int i = 0; i < 30; ++i) found += joined(given).size();
  return found;
}

std::uint64_t judgeFrames() {
  std::uint64_t found = 0;
  const auto frames = joined(marks());
  for (int i = 0; i < 3; ++i) {
    FrameJudge judge({});
    for (const GameFrame& frame : frames) {
      const FrameVerdict verdict = judge.judge(frame);
      found += (verdict.late ? 1 : 0) + (verdict.costly ? 1 : 0);
    }
  }
  return found;
}

// The frames of another tool, each with the faults of four slots.
std::uint64_t joinLive() {
  std::uint64_t found = 0;
  LiveJoin join;
  std::vector<GameFrame> out;
  GameFrame slot;
  slot.duration = 4ms;
  for (int i = 0; i < 160'000; ++i) {
    slot.start = {i * 4ms};
    slot.values.set(FrameMetric::MinorFaults, static_cast<std::uint64_t>(i % 7));
    join.addSlot(slot);
    if (i % 4 == 3) join.addFrames(std::array{FrameSpan{(i - 3) * 4ms, 16ms}});
    if (i % 100 != 99) continue;
    join.take(out);
    found += out.size();
    out.clear();
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  return runCase(count, arguments, {{"join marks", joinMarks}, {"judge", judgeFrames}, {"join live", joinLive}});
}

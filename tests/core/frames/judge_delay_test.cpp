// Verdicts and summaries of frames in whose faults a collector has added delays.
#include <catch2/catch_test_macros.hpp>

#include "core/frames/judge.h"
#include "core/frames/tally.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

GameFrame delayedFrame(Nanoseconds duration, Nanoseconds inFaults, Nanoseconds ownDelay = 0ms) {
  GameFrame frame;
  frame.number = 300;
  frame.duration = duration;
  frame.values.set(FrameMetric::MinorFaults, 800);
  frame.values.set(FrameMetric::ThreadMinorFaults, 800);
  frame.values.set(FrameMetric::FaultTime, inFaults);
  frame.values.set(FrameMetric::ThreadFaultTime, inFaults);
  frame.values.setDelay(FrameDelay{.added = 8ms, .ownAdded = ownDelay, .pair = 1, .delayed = true});
  return frame;
}

// A judge that has seen frames of 12 ms.
FrameJudge judgeOfFrames() {
  FrameJudge judge({.budget = 16ms});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(delayedFrame(12ms, 1ms)));
  return judge;
}

}  // namespace

TEST_CASE("A delay that was added to faults makes no frame late, and is no part of the time in faults") {
  FrameJudge judge = judgeOfFrames();
  const FrameVerdict verdict = judge.judge(delayedFrame(20ms, 1ms, 8ms));
  CHECK_FALSE(verdict.late);
  CHECK_FALSE(verdict.costly);
  CHECK(verdict.faultTime == 1ms);
  CHECK(judge.judge(delayedFrame(20ms, 1ms)).late);  // delays were in other threads: the frame lasted as long as it did
}

TEST_CASE("The summary tells how much of the worst frame's time in faults the frame pays") {
  FrameJudge judge = judgeOfFrames();
  FrameTally tally;
  const GameFrame late = delayedFrame(30ms, 20ms);
  tally.add(late, judge.judge(late));
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(tally.lateByFaults == 1);
  CHECK(has(summaryText(tally, "all in malloc", 0.95),
            "of which 20.0 ms in 800 faults, of which the frame pays 19.0 ms, all in malloc;"));
  CHECK_FALSE(has(summaryText(tally, "all in malloc"), "pays"));
}

}  // namespace faultline::test

// LifeLog: memory in which a program of many lives (programs/lifecycle.cpp) notes its own counts for the test that
// started it. It survives exec and a kill.
#pragma once

#include <atomic>
#include <cstdint>

namespace faultline::test {

struct LifeMark {
  std::uint64_t minorFaults, majorFaults;  // getrusage(RUSAGE_SELF) at the end of a frame
  std::uint64_t image;                     // programs that the process has executed before
};

// Minor and major faults of one run, by getrusage(2), in which those before exec(2) are included.
struct LifeRun {
  std::atomic<std::uint64_t> atMain;  // where main() begins
  std::atomic<std::uint64_t> atEnd;   // of a life in a namespace of its own: of the outer process, too
};

struct LifeLog {
  static constexpr std::uint32_t kMost = 8192;
  static constexpr std::uint32_t kMostRuns = 64;

  std::atomic<std::int32_t> pid;       // of the game, as the test sees it; -1: this life is not possible here
  std::atomic<std::uint32_t> phase;    // 1: awaits what the test does to it
  std::atomic<std::uint32_t> waiting;  // stands still, until the test opens the gate
  std::uint64_t faultsAtGate;          // minor and major ones
  std::uint64_t faultsAtExec;          // before the last exec(2)
  std::atomic<std::uint32_t> runs;
  LifeRun run[kMostRuns];
  std::atomic<std::uint32_t> marks;
  LifeMark mark[kMost];
};

}  // namespace faultline::test

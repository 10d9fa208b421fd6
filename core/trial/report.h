// The result of a trial: each remedy against the plain program, by runs of the same round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/hello.h"
#include "core/trial/interval.h"
#include "core/trial/output.h"
#include "core/trial/remedy.h"
#include "core/trial/run_memory.h"
#include "core/trial/sample.h"

namespace faultline {

struct TriedRemedy {
  Remedy remedy;
  std::vector<TrialSample> samples{};  // sample n is of round n
  std::vector<RunMemory> memory{};     // of each watched round
};

struct TrialReport {
  std::vector<std::string> command;
  std::string input{};  // the file of standard input; empty: none
  std::vector<TrialSample> plain{};
  std::vector<RunMemory> plainMemory{};
  std::vector<TriedRemedy> tried{};
  std::vector<Remedy> absent{};
  std::size_t rounds = 0;    // wanted
  std::size_t repeated = 0;  // runs that were done again, because they were disturbed
  bool interrupted = false;
  bool sameOutput = false;               // a remedy that changes standard output is rejected
  std::optional<WatchedGame> watched{};  // in the first run; absent: whole runs are compared, not their frames
  Nanoseconds duration{0};               // after which each run was ended; 0: none was
  // Of whole runs, once a collector has told it.
  std::optional<RunMemoryQuality> memoryQuality{};
  std::optional<double> nsPerFault{};  // the cost of a minor fault, where no time is measured

  // Removes the runs of rounds that are not complete.
  void dropIncompleteRounds();
};

// The figure that verdicts compare.
enum class TrialMeasure {
  Wall,
  MemoryTime,  // mean time of a frame in page faults and in giving memory back
  FaultTime,   // in page faults, where the other is unknown
  Faults,      // mean number of page faults of a frame, where no time is known
};

enum class TrialVerdict {
  Better,
  Worse,
  NoDifference,  // none shown: the interval contains 0
  TooFewRuns,
  OtherOutput,    // standard output is not that of the plain program, and has to be
  OtherExitCode,  // or it was killed by another signal
};

struct TrialMedians {
  double wall = 0;       // ns
  double processor = 0;  // ns
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  std::uint64_t peakBytes = 0;
  bool peakAtMost = false;
  std::optional<FrameFigures> frames{};
  double processorPerFrame = 0;  // ns, of the whole run
  RunMemory memory{};
};

struct TrialRow {
  std::size_t index = 0;  // in TrialReport::tried
  TrialVerdict verdict = TrialVerdict::TooFewRuns;
  TrialMedians medians{};
  std::optional<MedianInterval> gain{};           // share of the plain program's figure that is saved; negative: lost
  std::optional<MedianInterval> processorGain{};  // the same of CPU time; of frames: per frame
  std::optional<MedianInterval> p99Gain{};        // of frames: the same of the 99th percentile of their durations
  RunMemoryGains memoryGains{};                   // each with a confidence of 95 %
  double moreFaults = 0;                          // median of the differences, minor and major; negative: fewer
  double morePeakBytes = 0;                       // the same of peak memory: the price
  std::optional<OutputDifference> output{};       // standard output is not that of the plain program
  bool recommended = false;
};

struct TrialResult {
  TrialMeasure measure = TrialMeasure::Wall;
  std::size_t rounds = 0;  // complete
  TrialMedians plain{};
  std::vector<TrialRow> rows{};  // the greatest gain first; those that change the program's behaviour last
  bool outputVaries = false;     // the plain program's own runs differ
  bool exitCodeVaries = false;
  std::size_t disturbedRuns = 0;  // that were kept
  double confidence = 0.95;       // of each interval
};

// The fewest rounds after which each of so many remedies can have a verdict.
[[nodiscard]] std::size_t neededRounds(std::size_t remedies);
// The rounds of a trial that is not told how many: 12, or as many as leave each verdict as it is if a single round is
// disturbed.
[[nodiscard]] std::size_t usualRounds(std::size_t remedies);

// The intervals of `gain` together hold with a confidence of 95 %. A remedy is recommended from a gain of 1 % on, by
// the low end of its interval. Of frames: if the gain is worth 1 % of the frames' time, the 99th percentile is not
// proven longer, and, where faults are counted alone, CPU time is proven to be saved, too (faults of large pages take
// longer).
[[nodiscard]] TrialResult judge(const TrialReport& report);
// The time of a frame that the measure is about, in ns; estimated for Faults. Absent: unknown.
[[nodiscard]] std::optional<double> memoryTime(TrialMeasure measure, const FrameFigures& figures);
// The best recommended remedy; absent: there is none.
[[nodiscard]] const TrialRow* bestOf(const TrialResult& result);

}  // namespace faultline

// Compares the frames of two runs of a game: did page faults make more of them late, do frames
// pay for more of them, and which code caused it?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compare/columns.h"
#include "core/compare/frame_cost.h"

namespace faultline {

// The cost of code per frame: ns in faults, without times the number of faults.
struct CulpritCost {
  double sum = 0;      // over all frames
  double squares = 0;  // of the cost of each frame

  bool operator==(const CulpritCost&) const = default;
  void add(double cost) {
    sum += cost;
    squares += cost * cost;
  }
};

// The part of a CSV file of frames that counts (see frames/files/export.h).
struct FrameRun {
  std::vector<double> durations;   // ns, sorted, the shortest first
  std::set<std::uint64_t> frames;  // their numbers
  std::set<std::uint64_t> hurt;    // the numbers of those late because of faults
  std::optional<double> inFaults;  // ns; absent if unknown for all frames
  // Of each frame of which they are known, in order.
  std::map<FrameCost, std::vector<double>> costs;
  std::map<std::string, CulpritCost> culprits;  // of the frames hit by faults; of older files the main one of each
};

// Error: an end of a sentence that begins with the file's name. A last line that was cut is left out.
[[nodiscard]] Result<FrameRun> readFrameRun(std::string_view csv);

struct RunComparison {
  double lateBefore = 0;  // of 1000 frames, those late because of faults
  double lateAfter = 0;
  double confidence = 0;                         // 0 to 1: that these shares differ
  CostVerdict late = CostVerdict::NoDifference;  // on them, with a confidence of 95 % or more
  std::vector<CostChange> costs{};
  bool worse = false;  // by these shares, or by a cost that decides()
  std::vector<std::string> lines{};
};

// Of late frames, takes each frame as a draw of its own (a pooled test of two proportions). A cost is compared if it is
// known of half of the frames in both runs.
[[nodiscard]] RunComparison compareRuns(const FrameRun& before, const FrameRun& after);

[[nodiscard]] std::vector<ComparedNumber> comparedNumbers(const RunComparison& compared);
[[nodiscard]] std::string comparisonJson(const FrameRun& before, const FrameRun& after);

}  // namespace faultline

// Compares the frames of two runs of a game: did page faults make more of them late, and which code caused it?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// What counts of a CSV file of frames (see frames/export.h).
struct FrameRun {
  std::vector<double> durations;           // ns, sorted, the shortest first
  std::set<std::uint64_t> frames;          // their numbers
  std::set<std::uint64_t> hurt;            // the numbers of those late because of faults
  std::uint64_t faults = 0;                // minor and major
  std::optional<double> inFaults;          // ns; absent if unknown for all frames
  std::map<std::string, double> culprits;  // ns in faults by the main culprit of each frame; without times faults

  // The shortest duration that `share` of the frames do not exceed, ns (nearest rank). No frames: 0.
  [[nodiscard]] double percentile(double share) const;
  // Frames per second over the slowest `share` of the frames: "1 % low" is low(0.01). No frames: 0.
  [[nodiscard]] double low(double share) const;
};

// Error: an end of a sentence that begins with the file's name. A last line that was cut is left out.
[[nodiscard]] Result<FrameRun> readFrameRun(std::string_view csv);

struct RunComparison {
  double confidence = 0;  // 0 to 1: that the shares of frames late because of faults differ
  bool worse = false;     // the second run's share is larger, with a confidence of 95 % or more
  std::vector<std::string> lines{};
};

// Takes each frame as a draw of its own (a pooled test of two proportions).
[[nodiscard]] RunComparison compareRuns(const FrameRun& before, const FrameRun& after);

}  // namespace faultline

// Where the standard output of a run with a remedy differs from that of the plain program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trial/sample.h"

namespace faultline {

struct OutputLine {
  std::size_t number = 0;              // from 1
  std::optional<std::string> plain{};  // printable, cut around the difference; absent: no such line
  std::optional<std::string> other{};

  bool operator==(const OutputLine&) const = default;
};

struct OutputDifference {
  std::vector<OutputLine> lines{};  // the first that differ, at most kShownLines; none: as far as they are kept
  std::uint64_t plainBytes = 0;
  std::uint64_t otherBytes = 0;

  bool operator==(const OutputDifference&) const = default;
};

inline constexpr std::size_t kShownLines = 3;

// Also of runs that were ended: what these wrote tells nothing.
[[nodiscard]] bool sameOutput(const TrialSample& a, const TrialSample& b);
// Appends a run, and keeps the text of its output only if it is the first of the list, or the first that differs from
// that one.
void addRun(std::vector<TrialSample>& runs, TrialSample run);
// Of the first of `runs` whose output differs; absent: none does.
[[nodiscard]] std::optional<OutputDifference> outputDifference(const TrialSample& plain,
                                                               const std::vector<TrialSample>& runs);
// "line 2: “34 missed” becomes “6 missed”"
[[nodiscard]] std::string differenceText(const OutputDifference& difference);

}  // namespace faultline

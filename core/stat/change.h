// Whether a figure of a program grew between two sets of runs, judged by how the runs themselves differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/stat/report.h"

namespace faultline {

enum class StatVerdict : std::uint8_t {
  Alike,    // within what is allowed
  Unclear,  // more than is allowed, but not more than the noise
  Worse,
  Better,
};

struct StatChange {
  std::size_t figure = 0;  // in kStatFields
  double before = 0;       // medians
  double after = 0;
  double noise = 0;  // medians of equal programs differ by less, with a confidence of 99.8 %
  StatVerdict verdict = StatVerdict::Alike;

  bool operator==(const StatChange&) const = default;
  [[nodiscard]] std::optional<double> share() const {  // of growth
    return before > 0 ? std::optional(after / before - 1) : std::nullopt;
  }
};

inline constexpr double kStatConfidence = 0.998;  // of `noise`

// By Student's t: the runs of both sets, about their medians, tell how far two medians of equal programs lie apart.
// `allowed`: a share of `before` that is no change. Absent: a set has no value, or there are less than three together.
[[nodiscard]] std::optional<StatChange> statChange(std::size_t figure, std::span<const double> before,
                                                   std::span<const double> after, double allowed);

enum class StatJudged : std::uint8_t { Counts, CountsAndTimes };
// Of the figures that count, in their order: those `guarded`, and wall and CPU time if asked for.
[[nodiscard]] std::vector<StatChange> statChanges(const StatProgram& before, const StatProgram& after, double allowed,
                                                  StatJudged judged);
// "Page faults: 10 240 to 10 342, 102 more (1.0 %; noise 0.04 %)": without the verdict.
[[nodiscard]] std::string changeText(const StatChange& change);
[[nodiscard]] std::string_view verdictName(StatVerdict verdict);  // "worse": its name in files

}  // namespace faultline

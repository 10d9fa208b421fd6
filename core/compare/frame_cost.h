// What a frame of two runs costs, such as its number of page faults: how much more or less it is in the second run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/frame_numbers.h"

namespace faultline {

// A number of the table of which isMean() is true, in ns or bytes; absent: the page faults of both kinds.
using FrameCost = std::optional<FrameMetric>;

// In the order in which costs are told.
template <class Visit>
void forEachFrameCost(Visit visit) {
  visit(FrameCost());
  for (const FrameField& row : kFrameFields)
    if (isMean(row)) visit(FrameCost(row.metric));
}

// More of it makes the second run worse. The parts of costs do not: they tell where a cost comes from.
[[nodiscard]] constexpr bool decides(const FrameCost& cost) {
  return !cost || !isPart(field(*cost));
}

enum class CostVerdict : std::uint8_t { NoDifference, Worse, Better };

struct CostChange {
  FrameCost cost{};
  bool usual = false;  // of a usual frame (the median), else of all frames (the mean)
  double before = 0;
  double after = 0;  // of a usual frame: that of the same place in the second run
  // Of after - before.
  double low = 0;
  double high = 0;

  bool operator==(const CostChange&) const = default;
  // The whole interval is beyond kLeastChange of `before`.
  [[nodiscard]] CostVerdict verdict() const;
};

inline constexpr double kLeastChange = 0.01;
inline constexpr std::size_t kPieces = 30;  // of a run
inline constexpr std::size_t kFewestCosts = 2 * kPieces;
inline constexpr double kCostConfidence = 0.99;  // of all intervals of two runs together

// `before` and `after`: of each frame, in order. Absent: there are too few. Frames that follow each other are alike,
// and both runs may have the same phases. So each run is cut into kPieces, and the pieces of both at the same place are
// a pair. The interval comes from how the pairs spread: of the ratio of means, by Student's t; of the ratios of
// medians, by Wilcoxon's signed ranks (Hodges and Lehmann), which single pieces such as a load do not decide.
// `intervals`: of the two runs, which hold together with kCostConfidence.
[[nodiscard]] std::optional<CostChange> costChange(FrameCost cost, bool usual, std::span<const double> before,
                                                   std::span<const double> after, std::size_t intervals);
[[nodiscard]] std::string_view costName(FrameCost cost);          // "faults": its name in JSON
[[nodiscard]] std::string_view verdictName(CostVerdict verdict);  // "worse": the same
[[nodiscard]] std::string costTitle(const CostChange& change);    // "Page faults of a usual frame"
// "Worse: page faults of a usual frame, 200.0 to 220.3: 10.2 % more (8.1 to 12.2)."
[[nodiscard]] std::string costText(const CostChange& change);

}  // namespace faultline

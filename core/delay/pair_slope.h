// The slope of frame time over the delay that was added to faults, from pairs of stretches of frames, with delays in
// one of the two. Pure. Frames differ by the number of their faults, and so by what these cost anyhow; that part of
// both is taken away first (linear regression within pairs). The slope is the mean of the pairs' slopes, weighted by
// what each pair can tell, without a tenth of the weight at each end: a pair that something else disturbed has no
// influence. The interval comes from the spread of the pairs, and assumes nothing else of the frames.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace faultline {

struct PairFrame {
  double faults = 0;
  double added = 0;      // ns of delay
  double lasted = 0;     // ns
  bool delayed = false;  // of the stretch with delays
};

// Sums of the frames of one pair; any number of frames in constant memory.
class PairSums {
 public:
  void add(const PairFrame& frame);
  [[nodiscard]] bool complete() const;  // both stretches have frames enough to compare

  // Sums of products of the differences from the pair's means.
  struct Products {
    double faultsFaults = 0, faultsAdded = 0, addedAdded = 0, faultsLasted = 0, addedLasted = 0;
  };
  [[nodiscard]] Products products() const;

 private:
  std::size_t m_frames = 0;
  std::size_t m_delayed = 0;
  double m_faults = 0, m_added = 0, m_lasted = 0;
  Products m_products;
};

struct PairSlope {
  double slope = 0;
  double low = 0;  // of an interval that holds the true slope in 95 of 100 cases
  double high = 0;
  std::size_t pairs = 0;  // that it rests on

  bool operator==(const PairSlope&) const = default;
};

inline constexpr std::size_t kFewestPairs = 6;

// Absent: fewer than kFewestPairs complete pairs have delays, or too few of these have most of all delays.
[[nodiscard]] std::optional<PairSlope> slopeOf(std::span<const PairSums> pairs);

}  // namespace faultline

// The slope of frame time over the delay that was added to faults, from pairs of stretches of frames, with delays in
// one of the two. Pure. A pair compares the means of its stretches, not single frames: a longer frame has more delays
// of other threads, but whether a stretch has delays is random. The stretches differ by the number of faults, and so by
// what these cost anyhow; that part is taken away first, by the frames without delays. The slope is the mean of the
// pairs' slopes, weighted by their delays, without a tenth of the weight at each end: a pair that something else
// disturbed has no influence. The interval comes from the spread of the pairs, and assumes nothing else of the frames.
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

  // Of frames without delays, within their stretch: sums of products of the differences from the means.
  [[nodiscard]] double faultsFaults() const { return m_faultsFaults; }
  [[nodiscard]] double faultsLasted() const { return m_faultsLasted; }
  // The mean of the frames with delays, less that of the others.
  [[nodiscard]] PairFrame difference() const;
  [[nodiscard]] double weight() const;  // of a difference, by the number of frames

 private:
  struct Stretch {
    double frames = 0;
    PairFrame mean{};
  };

  Stretch m_delayed;
  Stretch m_others;
  double m_faultsFaults = 0;
  double m_faultsLasted = 0;
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

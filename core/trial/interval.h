// The median of paired differences, with an interval that assumes no distribution; the order of interleaved runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace faultline {

struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;

  bool operator==(const MedianInterval&) const = default;
};

// The narrowest pair of order statistics, as far from one end as from the other, that holds the true median with at
// least `confidence` (0 to 1, by the binomial distribution). Absent if there are too few values for that.
[[nodiscard]] std::optional<MedianInterval> medianInterval(std::vector<double> values, double confidence);
// The fewest values for which medianInterval() exists, and leaves out `stray` of them at each end.
[[nodiscard]] std::size_t fewestForInterval(double confidence, std::size_t stray = 0);

// 0 to count - 1, shuffled. The same seed gives the same order on every system.
[[nodiscard]] std::vector<std::size_t> shuffledOrder(std::size_t count, std::uint64_t seed);

}  // namespace faultline

// Percentiles and lows of the durations of frames. `sorted`: the shortest first, in one unit of time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace faultline {

// A share of a count may be a little above or below the whole number that it stands for.
inline constexpr double kCountTolerance = 1e-9;

// The shortest duration that `share` of them do not exceed (nearest rank).
[[nodiscard]] inline std::optional<double> percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::nullopt;
  const double rank = std::ceil(share * static_cast<double>(sorted.size()) - kCountTolerance);
  return sorted[std::clamp<std::size_t>(static_cast<std::size_t>(std::max(rank, 1.0)), 1, sorted.size()) - 1];
}

// Frames per unit over the slowest `share` of the frames, at least one: "1 % low" is low(0.01). Absent without time.
[[nodiscard]] inline std::optional<double> low(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::nullopt;
  const double slowest = std::floor(share * static_cast<double>(sorted.size()) + kCountTolerance);
  const double count = std::clamp(slowest, 1.0, static_cast<double>(sorted.size()));
  const double sum = std::accumulate(sorted.end() - static_cast<std::ptrdiff_t>(count), sorted.end(), 0.0);
  return sum > 0 ? std::optional(count / sum) : std::nullopt;
}

}  // namespace faultline

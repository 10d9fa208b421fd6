#include "core/trial/interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/lab/summary.h"

namespace faultline {
namespace {

// How many of the values at each end lie outside of the interval.
std::size_t leftOut(std::size_t count, double confidence) {
  // `tail`: the probability that at most `cut` of the values lie below the median. Each end may miss half of the rest.
  const auto n = static_cast<double>(count);
  double term = std::exp2(-n);
  double tail = term;
  std::size_t cut = 0;
  while (cut + 1 < count / 2) {
    term *= (n - static_cast<double>(cut)) / static_cast<double>(cut + 1);
    if (tail + term > (1 - confidence) / 2) break;
    tail += term;
    ++cut;
  }
  return cut;
}

}  // namespace

std::optional<MedianInterval> medianInterval(std::vector<double> values, double confidence) {
  const std::size_t count = values.size();
  const auto spread = spreadOf(values);
  if (!spread || count < fewestForInterval(confidence)) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t cut = leftOut(count, confidence);
  return MedianInterval{.median = spread->median, .low = values[cut], .high = values[count - 1 - cut]};
}

std::size_t fewestForInterval(double confidence, std::size_t stray) {
  auto count = static_cast<std::size_t>(std::ceil(1 - std::log2(1 - confidence) - 1e-9));
  while (leftOut(count, confidence) < stray) ++count;
  return count;
}

std::vector<std::size_t> shuffledOrder(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  // std::shuffle differs between libraries. The remainder favours small numbers by less than count / 2^64.
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace faultline

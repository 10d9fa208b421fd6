#include "app/cli/top/spark.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline {
namespace {

constexpr std::array<const char*, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kHighest = 1e6;

std::size_t level(double perSecond) {
  if (perSecond <= 0) return 0;
  const double share = std::log10(std::max(perSecond, 1.0)) / std::log10(kHighest);
  return static_cast<std::size_t>(1 + std::clamp(share, 0.0, 1.0) * 7);
}

int columnOf(MonotonicTime time, MonotonicTime from, MonotonicTime to, int width) {
  const double share = static_cast<double>((time - from).count()) / static_cast<double>((to - from).count());
  return std::clamp(static_cast<int>(std::ceil(share * width)) - 1, 0, width - 1);
}

}  // namespace

std::string spark(const std::vector<Bucket>& buckets, MonotonicTime from, MonotonicTime to, int width) {
  std::vector<double> highest(static_cast<std::size_t>(std::max(width, 0)));
  if (highest.empty() || to <= from) return {};
  for (const Bucket& bucket : buckets) {
    if (bucket.end < from || bucket.start > to) continue;
    for (int i = columnOf(bucket.start, from, to, width); i <= columnOf(bucket.end, from, to, width); ++i)
      highest[static_cast<std::size_t>(i)] =
          std::max(highest[static_cast<std::size_t>(i)], static_cast<double>(bucket.max));
  }
  std::string text;
  for (const double perSecond : highest) text += kBlocks[level(perSecond)];
  return text;
}

}  // namespace faultline

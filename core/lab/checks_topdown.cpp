#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/lab/check_list.h"
#include "core/lab/published.h"
#include "core/lab/summary.h"

namespace faultline {
namespace {

// The growth over the upper half of the counts, at least three of them.
std::optional<double> growth(const CheckList& list, const std::string& way) {
  std::vector<GrowthPoint> points;
  for (const LabRow& row : list.report().rows)
    if (const auto time = list.time(row.way, row.phase); time && row.way == way)
      points.push_back({.count = static_cast<double>(row.amount), .time = *time});
  std::ranges::sort(points, {}, &GrowthPoint::count);
  const std::size_t upper = std::min(points.size(), std::max<std::size_t>(3, (points.size() + 1) / 2));
  return upper < 2 ? std::nullopt : growthExponent(std::span(points).last(upper));
}

bool mergeable(const LabRow& row) {
  return row.way.ends_with("mergeable");
}

}  // namespace

void checkTopdown(CheckList& list) {
  std::set<std::string> ways;
  for (const LabRow& row : list.report().rows)
    if (!mergeable(row)) ways.insert(row.way);
  for (const std::string& way : ways) {
    const auto exponent = growth(list, way);
    if (way == "top-down")
      list.add("growth exponent, top-down (published: 2)", fmt::format("{:.3g}", exponent.value_or(0)), true, false);
    else list.between(fmt::format("growth exponent, {}", way), exponent, 0.9, 1.3);
  }
  std::size_t apart = 0;
  std::size_t rows = 0;
  for (const LabRow& row : list.report().rows) {
    if (row.samples.empty() || row.samples.front().result == 0 || mergeable(row)) continue;
    ++rows;
    apart += std::ranges::all_of(row.samples, [&](const LabSample& s) { return s.result >= row.amount; }) ? 1 : 0;
  }
  if (rows > 0)
    list.add("n mappings add n lines to the list of mappings", fmt::format("{} of {} rounds", apart, rows),
             apart == rows, true);
  std::vector<GrowthPoint> series;
  for (std::size_t i = 0; i < kTopDownSeconds.size(); ++i)
    series.push_back({.count = 1000.0 * static_cast<double>(i + 1), .time = kTopDownSeconds[i]});
  list.between("growth exponent of the series of the post, by the same fit",
               growthExponent(std::span(series).subspan(4)), 1.9, 2.2, true);
}

}  // namespace faultline

#include <fmt/format.h>

#include <algorithm>

#include "core/lab/check_list.h"

namespace faultline {

// `amount` of a row: the pages that its chunks touch; of the pool, the pages of all blocks that it can ever have made.
void checkPool(CheckList& list) {
  const LabReport& report = list.report();
  for (const LabRow& row : report.rows) {
    const auto faults = list.faults(row.way, row.phase);
    if (!faults) continue;
    const auto pages = static_cast<double>(row.amount);
    if (row.way == "system" || row.way == "malloc, fixed threshold")
      list.between(fmt::format("faults / pages of all chunks, {}, {}", row.way, row.phase), *faults / pages, 0.98, 1.02,
                   true);
    if (row.way != "pool") continue;
    list.ratioAtMost("faults of the pool / pages of its blocks, " + row.phase, faults, pages, 1.2, true);
    for (const std::string other : {"system", "malloc"})
      list.ratioAtLeast(fmt::format("time, {} / pool, {}", other, row.phase), list.time(other, row.phase),
                        list.time("pool", row.phase), 0.9);
  }
  std::vector<std::uint64_t> results;
  for (const LabRow& row : report.rows)
    for (const LabSample& sample : row.samples) results.push_back(sample.result);
  if (results.empty()) return;
  const bool same = std::ranges::all_of(results, [&](std::uint64_t result) { return result == results.front(); });
  list.add("all ways find the same", fmt::format("{}", results.front()), same, true);
}

}  // namespace faultline

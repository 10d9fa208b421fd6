#include <fmt/format.h>

#include "core/lab/check_list.h"

namespace faultline {

void checkNodes(CheckList& list) {
  const std::string one = ", malloc per node";
  const auto time = [&](const std::string& way) { return list.time(way, "insert"); };
  for (const LabRow& row : list.report().rows)
    if (row.way.ends_with(one) && row.phase == "insert") {
      const std::string name = row.way.substr(0, row.way.size() - one.size());
      list.ratioAtMost(fmt::format("{}: pooled / malloc per node", name), time(name + ", pooled"), time(row.way), 1.1);
    }
  list.ratioAtLeast("malloc per node: all / warm", time("all" + one), time("warm" + one), 1);
}

}  // namespace faultline

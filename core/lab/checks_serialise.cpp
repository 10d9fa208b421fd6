#include <fmt/format.h>

#include "core/lab/check_list.h"

namespace faultline {

// Nothing beyond the counts must hold on any machine.
std::vector<std::string> serialiseDerived(const LabReport& report) {
  const CheckList list(report);
  std::vector<std::string> sentences;
  for (const std::string kind : {"own mappings", "one mapping"})
    for (const int threads : {2, 4, 8}) {
      const auto many = list.time(fmt::format("{} threads, {}", threads, kind), "touch");
      const auto one = list.time("1 thread, " + kind, "touch");
      if (many && one && *one > 0)
        sentences.push_back(
            fmt::format("touch, {}: {} threads take {:.2f} times the wall time of one (1 = all in parallel, {} = one "
                        "after another).",
                        kind, threads, *many / *one, threads));
    }
  return sentences;
}

}  // namespace faultline

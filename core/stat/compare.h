// Two results of `stat`, compared program by program.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compare/columns.h"
#include "core/stat/guard.h"
#include "core/stat/report.h"

namespace faultline {

struct ComparedStats {
  std::vector<Guarded> programs{};  // of both results, in the order of the second one
  std::vector<std::string> onlyBefore{};
  std::vector<std::string> onlyAfter{};

  [[nodiscard]] bool worse() const;
};

// A single program of each result is compared whatever its name; others are compared with those of their names.
// `times`: see guard(). Error, as a sentence: the machines have pages of other sizes.
[[nodiscard]] Result<ComparedStats> compareStats(const StatReport& before, const StatReport& after, double allowed,
                                                 bool times);
[[nodiscard]] std::vector<ComparedNumber> comparedNumbers(const ComparedStats& compared);
[[nodiscard]] std::string comparedText(const ComparedStats& compared);
[[nodiscard]] std::string comparedJson(const ComparedStats& compared);

}  // namespace faultline

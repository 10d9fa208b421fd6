// A program judged against a baseline, which is a result of `stat`: did one of its figures grow?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/stat/change.h"
#include "core/stat/report.h"

namespace faultline {

struct Guarded {
  std::string name{};
  std::vector<StatChange> changes{};
  std::vector<std::string> otherPlace{};  // how the baseline's machine differs, as clauses; counts alone are judged
  std::vector<std::string> notJudged{};   // titles of figures that only one of both has

  bool operator==(const Guarded&) const = default;
  [[nodiscard]] bool has(StatVerdict verdict) const;
};

// `times`: of wall and CPU time, too, where the places are alike. Error, as a sentence: the baseline has no program of
// that name, or is of another size of page, so that no count can be compared.
[[nodiscard]] Result<Guarded> guard(const StatReport& baseline, const StatReport& now, double allowed, bool times);

// How a place differs from `then`, as clauses: "the allocator is another (was glibc 2.31)".
[[nodiscard]] std::vector<std::string> placeChanges(const StatPlace& then, const StatPlace& now);

struct GuardFormat {
  std::string_view name;
  std::string_view words;
  std::string (*write)(const Guarded& guarded);
};
[[nodiscard]] std::string guardTable(const Guarded& guarded);
[[nodiscard]] std::string guardMarkdown(const Guarded& guarded);  // for a pull request: a sentence, the figures folded
[[nodiscard]] std::string guardJson(const Guarded& guarded);
[[nodiscard]] std::string guardJunit(const Guarded& guarded);   // a test case of each figure
[[nodiscard]] std::string guardGithub(const Guarded& guarded);  // an annotation of each figure that grew
inline constexpr GuardFormat kGuardFormats[]{{"table", "for people", guardTable},
                                             {"markdown", "for a pull request", guardMarkdown},
                                             {"json", "for programs", guardJson},
                                             {"junit", "XML, a test case of each figure", guardJunit},
                                             {"github", "annotations of GitHub Actions", guardGithub}};

}  // namespace faultline

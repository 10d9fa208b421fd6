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

struct ProcessGrowth {
  std::string name{};
  StatChange change{};  // of page faults

  bool operator==(const ProcessGrowth&) const = default;
};

struct Guarded {
  std::string name{};
  std::vector<StatChange> changes{};
  std::vector<std::string> otherPlace{};  // how the baseline's machine differs, as clauses; counts alone are judged
  std::string countedOtherwise{};        // how page faults were counted in the baseline, if by another way, as a clause
  std::vector<std::string> notJudged{};  // titles of figures that only one of both has
  std::vector<SiteGrowth> callSites{};   // that grew, if a figure did, then those that shrank
  std::string noCallSites{};             // why none is told, as a sentence; empty: they were not asked for, or are told
  std::vector<ProcessGrowth> processes{};  // that grew, by name, if page faults did and there are several
  std::uint64_t pageBytes = 0;

  bool operator==(const Guarded&) const = default;
  [[nodiscard]] bool has(StatVerdict verdict) const;
};

// `times`: of wall and CPU time, too, where the places are alike. Error, as a sentence: the baseline has no program of
// that name, or is of another size of page, so that no count can be compared.
[[nodiscard]] Result<Guarded> guard(const StatReport& baseline, const StatReport& now, double allowed, bool times);

// Which process and which call sites a growth is of: "4 096 more page faults, all in parse (parse.cpp:212): at
// least 16.0 MiB more touched". Empty: not known, or nothing grew.
[[nodiscard]] std::string whereGrown(const Guarded& guarded);

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
[[nodiscard]] std::string guardJunit(const Guarded& guarded);  // a test case of each figure
// An annotation of each figure that grew, at the line that grew most.
[[nodiscard]] std::string guardGithub(const Guarded& guarded);
// SARIF 2.1.0: a result of each figure that grew, at the lines that grew.
[[nodiscard]] std::string guardSarif(const Guarded& guarded);
inline constexpr GuardFormat kGuardFormats[]{{"table", "for people", guardTable},
                                             {"markdown", "for a pull request", guardMarkdown},
                                             {"json", "for programs", guardJson},
                                             {"junit", "XML, a test case of each figure", guardJunit},
                                             {"github", "annotations of GitHub Actions", guardGithub},
                                             {"sarif", "SARIF 2.1.0, for code scanning", guardSarif}};

}  // namespace faultline

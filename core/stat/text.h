// The report of `faultline-cli stat` for people and for other programs.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/stat/report.h"

namespace faultline {

struct StatFormat {
  std::string_view name;
  std::string_view words;
  std::string (*write)(const StatReport& report);
};

[[nodiscard]] std::string statTable(const StatReport& report);
[[nodiscard]] std::string statMarkdown(const StatReport& report);
[[nodiscard]] std::string statJson(const StatReport& report);
// A row of each program and figure: program, figure, unit, grade, runs, median, least, most. Unknown figures have empty
// fields.
[[nodiscard]] std::string statCsv(const StatReport& report);
// Bencher Metric Format: of each program, the medians with the least and the most as bounds. Unknown figures are left
// out.
[[nodiscard]] std::string statBencher(const StatReport& report);
// customSmallerIsBetter of github-action-benchmark: the medians of each program and figure, with the range of the runs.
[[nodiscard]] std::string statSmallerIsBetter(const StatReport& report);

inline constexpr StatFormat kStatFormats[]{
    {"table", "for people", statTable},
    {"json", "with the values of each run; 'guard' and 'stat' read it", statJson},
    {"csv", "a row of each figure", statCsv},
    {"markdown", "a table", statMarkdown},
    {"bencher", "Bencher Metric Format", statBencher},
    {"smaller-is-better", "for github-action-benchmark", statSmallerIsBetter}};

// Reads statJson(). Error: an end of a sentence that begins with the file's name.
[[nodiscard]] Result<StatReport> parseStat(std::string_view document);
// The text of names and commands in files, and by which programs are told apart.
[[nodiscard]] std::string commandText(const StatProgram& program);

}  // namespace faultline

// A report of `stat` with chosen counts of faults.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/stat/report.h"

namespace faultline::test {

inline StatReport statOf(const std::vector<double>& faults, const std::string& name = "parser big.json") {
  StatProgram program{.name = name, .command = {"parser", "big.json"}};
  program.values[statFigure("faults")] = faults;
  for (const double count : faults) {
    program.values[statFigure("wall_ns")].push_back(1e6 * count + 0.5);
    program.values[statFigure("zeroed_bytes")].push_back(4096 * count);
  }
  StatReport report{.place = StatPlace{.machine = {.system = "Debian GNU/Linux 12, Linux 6.1",
                                                   .processor = "EPYC",
                                                   .processors = 2,
                                                   .settings = "large pages madvise"},
                                       .pageBytes = 4096,
                                       .allocator = "glibc 2.36"},
                    .qualities = runQualities(unavailable("No grant", "Grant it.")),
                    .programs = {program},
                    .runs = faults.size()};
  report.qualities[statFigure("zeroed_bytes")] = estimated("Seen from outside");
  return report;
}

// Each fault of one run, in two functions of one file.
inline CallSites sitesOf(std::uint64_t parsed, std::uint64_t drawn, int line = 212) {
  const CallSite parse{.function = "parse",
                       .module = "parser",
                       .file = "src/parse file.cpp",
                       .line = line,
                       .source = "auto copy = text;",
                       .caller = "main (main.cpp:9)",
                       .faults = parsed,
                       .pages = parsed};
  const CallSite draw{.function = "draw",
                      .module = "parser",
                      .file = "draw.cpp",
                      .line = 7,
                      .faults = drawn,
                      .majors = drawn / 2,
                      .time = Nanoseconds(250)};
  return {.sites = {parse, draw}, .faults = parsed + drawn, .each = true};
}

// With blanks in place of the narrow ones within numbers.
inline std::string withBlanks(std::string text) {
  constexpr std::string_view kNarrow = "\u202f";
  for (auto at = text.find(kNarrow); at != std::string::npos; at = text.find(kNarrow))
    text.replace(at, kNarrow.size(), " ");
  return text;
}

}  // namespace faultline::test

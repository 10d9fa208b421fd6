#include "core/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/stat/change.h"
#include "core/stat/text.h"
#include "core/text/quantity.h"
#include "core/trial/run_text.h"

namespace faultline {
namespace {

using Cells = TextCells;

Grade gradeOfFigure(const StatReport& report, const StatProgram& program, std::size_t figure) {
  if (figure == statFigure("peak_bytes") && program.peakAtMost) return Grade::Estimated;
  return report.qualities[figure].grade;
}

std::string cellOf(const StatReport& report, const StatProgram& program, std::size_t figure, double value) {
  // The peak is marked only where it is a bound: its grade is told in a note.
  const bool peak = figure == statFigure("peak_bytes");
  const Grade grade = peak ? Grade::Exact : gradeOfFigure(report, program, figure);
  return (peak && program.peakAtMost ? "≤ " : "") + amountText(value, kStatFields.at(figure).unit, grade);
}

std::string runsText(const StatReport& report, const StatProgram& program) {
  std::size_t most = 0;
  for (const auto& values : program.values) most = std::max(most, values.size());
  std::string text = fmt::format("{} run{}", most, most == 1 ? "" : "s");
  if (report.interrupted) text += fmt::format(" of {} (interrupted)", report.runs);
  return text;
}

std::vector<Cells> tableOfOne(const StatReport& report, const StatProgram& program) {
  const bool single = program.values[statFigure("wall_ns")].size() < 2;
  std::vector<Cells> lines{single ? Cells{"", "value"} : Cells{"", "median", "least", "most", "spread"}};
  for (std::size_t figure = 0; figure < kStatFields.size(); ++figure) {
    const auto summary = summaryOf(program.values[figure]);
    if (!summary) continue;
    const auto cell = [&](double value) { return cellOf(report, program, figure, value); };
    const StatField& named = kStatFields[figure];
    Cells line{(named.part ? "  " : "") + std::string(named.title), cell(summary->median)};
    const auto spread = summary->spread();
    if (!single)
      line.insert(line.end(), {cell(summary->least), cell(summary->most),
                               spread ? fmt::format("{:.{}f} %", 100 * *spread, *spread < 0.0995 ? 2 : 0) : ""});
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Cells> tableOfSeveral(const StatReport& report) {
  constexpr std::array kColumns{statFigure("wall_ns"),      statFigure("cpu_ns"),     statFigure("faults"),
                                statFigure("major_faults"), statFigure("fault_ns"),   statFigure("zeroed_bytes"),
                                statFigure("freed_bytes"),  statFigure("peak_bytes"), statFigure("processes")};
  std::vector<Cells> lines{{"program"}};
  for (const std::size_t figure : kColumns)
    if (isKnown(report, figure)) lines.front().emplace_back(kStatFields.at(figure).title);
  for (const StatProgram& program : report.programs) {
    Cells line{printableName(program.name)};
    for (const std::size_t figure : kColumns) {
      if (!isKnown(report, figure)) continue;
      const auto summary = summaryOf(program.values[figure]);
      line.push_back(summary ? cellOf(report, program, figure, summary->median) : std::string(kUnavailable));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// "B against A: Page faults: 1 024 to 1 035, 11 more (1.1 %; noise 0.2 %); ..."
std::vector<std::string> comparisons(const StatReport& report) {
  std::vector<std::string> lines;
  const StatProgram& first = report.programs.front();
  for (const StatProgram& other : std::span(report.programs).subspan(1)) {
    std::string text;
    for (const StatChange& change : statChanges(first, other, 0, StatJudged::CountsAndTimes))
      if (change.verdict == StatVerdict::Worse || change.verdict == StatVerdict::Better)
        text += (text.empty() ? "" : "; ") + changeText(change);
    lines.push_back(fmt::format("{} against {}: {}.", printableName(other.name), printableName(first.name),
                                text.empty() ? "no figure differs by more than its noise" : text));
  }
  return lines;
}

std::string sitesNote(const StatProgram& program) {
  const CallSites& found = *program.callSites;
  if (!found.whyNot.empty()) return "Call sites are unavailable: " + found.whyNot;
  const std::string others = found.others == 0
                                 ? ""
                                 : fmt::format(" and, without their first moments, of {} process{} that it has started",
                                               found.others, found.others == 1 ? "" : "es");
  const std::string passed = found.passed == 0 ? "" : fmt::format(" {} more were seen and not read.", found.passed);
  return fmt::format("Call sites are of {}{} page faults of {}{}{}.{}", found.each ? "" : "about ",
                     formatCount(found.faults),
                     program.command.empty() ? "the process itself, without those that it starts"
                                             : "the program's first process in one more run",
                     others, found.each ? ", each of them read" : ", of which some stand for all", passed);
}

std::vector<std::string> notesOf(const StatReport& report) {
  std::vector<std::string> lines;
  for (const StatProgram& program : report.programs)
    if (program.failed > 0)
      lines.push_back(
          fmt::format("{} runs of {} failed, and count all the same.", program.failed, printableName(program.name)));
  const auto& all = report.qualities;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].grade == Grade::Exact || std::ranges::find(all, all[i]) != all.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    std::vector<std::string> titles;
    std::size_t whole = i;
    for (std::size_t figure = i; figure < all.size(); ++figure) {
      if (!kStatFields[figure].part) whole = figure;
      if (all[figure] != all[i] || (figure != whole && all[whole] == all[i])) continue;
      titles.emplace_back(kStatFields[figure].title);
    }
    lines.push_back(qualityNote(titles, all[i]));
  }
  for (const StatProgram& program : report.programs)
    if (program.callSites) lines.push_back(sitesNote(program));
  if (report.watchedRuns > 0)
    lines.push_back(fmt::format(
        "Time in faults, zeroed and freed memory and processes are of {} more run{}, beside a collector; the times of "
        "these runs are left out: a measured fault takes longer.",
        report.watchedRuns, report.watchedRuns == 1 ? "" : "s"));
  return lines;
}

// Of the program's processes, by name, where there are several.
std::vector<Cells> processRows(const StatProgram& program) {
  if (program.processes.size() < 2) return {};
  std::vector<Cells> rows{{"processes", "page faults"}};
  for (const StatProcess& process : program.processes)
    if (const auto summary = summaryOf(process.faults))
      rows.push_back({printableName(process.name), amountText(summary->median, Unit::Count, Grade::Exact)});
  return rows;
}

std::string document(const StatReport& report, std::string (*write)(const TextTable&), const char* gap,
                     const char* note) {
  const auto table = [&](std::vector<Cells> rows) {
    return write({.rows = std::move(rows), .left = [](std::size_t column) { return column == 0; }});
  };
  std::string out;
  const StatProgram& first = report.programs.front();
  const std::string runs = runsText(report, first);
  if (report.programs.size() == 1) {
    const std::string command = commandText(first);
    const std::string name = printableName(first.name);
    out = name + (command.empty() || command == name ? "" : " (" + command + ")") + ": " + runs + "\n" + gap;
    out += table(tableOfOne(report, first)) + gap;
  } else {
    out = fmt::format("{} programs, {} of each, in random order; medians\n{}", report.programs.size(), runs, gap);
    out += table(tableOfSeveral(report)) + gap;
    for (const std::string& line : comparisons(report)) out += line + "\n" + gap;
  }
  for (const StatProgram& program : report.programs) {
    if (const auto rows = processRows(program); !rows.empty()) out += table(rows) + gap;
    if (program.callSites && program.callSites->whyNot.empty()) {
      if (report.programs.size() > 1) out += "Call sites of " + printableName(program.name) + ":\n" + gap;
      auto rows = siteRows(*program.callSites, report.place ? report.place->pageBytes : 0);
      const std::size_t words = rows.front().size() - 2;
      out += write({.rows = std::move(rows), .left = [words](std::size_t column) { return column >= words; }}) + gap;
    }
  }
  for (const std::string& line : notesOf(report)) out += note + line + "\n";
  return out;
}

}  // namespace

std::string commandText(const StatProgram& program) {
  std::string text;
  for (const std::string& word : program.command) text += (text.empty() ? "" : " ") + printableName(word);
  return text;
}

std::string statTable(const StatReport& report) {
  return document(report, alignedTable, "", "  ");
}

std::string statMarkdown(const StatReport& report) {
  return document(report, markdownTable, "\n", "* ");
}

}  // namespace faultline

#include "core/lab/view/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/lab/checks.h"
#include "core/lab/summary.h"
#include "core/lab/view/cells.h"

namespace faultline {
namespace {

using Cells = std::vector<std::string>;

Cells headCells() {
  Cells cells;
  for (std::size_t i = 0; i < static_cast<std::size_t>(LabColumn::Count); ++i)
    cells.emplace_back(labColumn(static_cast<LabColumn>(i)).title);
  return cells;
}

Cells rowCells(const LabRow& row) {
  const auto cells = labCells(row);
  return {cells.begin(), cells.end()};
}

std::string heading(const LabReport& report) {
  std::size_t repetitions = 0;
  std::string pages;
  for (const LabRow& row : report.rows) {
    repetitions = std::max(repetitions, row.samples.size());
    if (!row.pages.empty() && pages.find(row.pages) == std::string::npos)
      pages += (pages.empty() ? "" : ", ") + row.pages;
  }
  return fmt::format("{}: {}; {} interleaved repetitions{}{}{}", report.experiment, report.title, repetitions,
                     report.quick ? " (quick form)" : "", pages.empty() ? "" : "; pages of ", pages);
}

std::size_t width(const std::string& text) {  // code points; the tables hold no wide characters
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

void appendTable(const std::vector<Cells>& lines, std::string& out) {
  std::vector<std::size_t> widths(static_cast<std::size_t>(LabColumn::Count));
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  constexpr std::size_t kLeftColumns = 2;
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (widths[i] == 0) continue;
      const bool left = i < kLeftColumns || i + 1 == line.size();
      const std::string padding(widths[i] - width(line[i]), ' ');
      text += (text.empty() ? "" : "  ") + (left ? line[i] + padding : padding + line[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
}

std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char byte : text) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  return quoted + "\"";
}

std::string csvSpread(const std::optional<LabSpread>& spread) {
  return spread ? fmt::format("{:.0f},{:.0f},{:.0f}", spread->median, spread->low, spread->high) : ",,";
}

std::string markdownLine(const Cells& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

}  // namespace

std::string labCheckText(const LabCheck& check) {
  return check.claim + (check.value.empty() ? "" : ": " + check.value);
}

std::vector<std::string> labNotes(const LabReport& report) {
  std::vector<std::string> lines = report.remarks;
  for (const LanePicture& picture : report.lanes)
    lines.push_back(fmt::format("{}: {}.", picture.run, picture.sentence));
  std::size_t repetitions = 0;
  std::size_t switched = 0;
  std::size_t otherFrequency = 0;
  for (const LabRow& row : report.rows)
    if (const auto summary = summarize(row); summary && row.alone) {
      repetitions += summary->repetitions;
      switched += summary->switched;
      otherFrequency += summary->otherFrequency;
    }
  if (switched > 0)
    lines.push_back(
        fmt::format("Other programs took the processor in {} of {} repetitions of one thread.", switched, repetitions));
  if (otherFrequency > 0)
    lines.push_back(
        fmt::format("The processor's frequency changed by more than 5 % in {} of {} repetitions of one thread.",
                    otherFrequency, repetitions));
  for (std::string& sentence : labDerived(report)) lines.push_back(std::move(sentence));
  for (const LabRow& row : report.rows)
    if (!row.note.empty()) {
      const std::string name = row.phase.empty() ? row.way : row.way + ", " + row.phase;
      lines.push_back(name + (row.samples.empty() ? " is unavailable here: " : ": ") + row.note);
    }
  return lines;
}

std::string labTable(std::span<const LabReport> reports) {
  std::string out;
  for (const LabReport& report : reports) {
    out += (out.empty() ? "" : "\n") + heading(report) + "\n";
    std::vector<Cells> lines{headCells()};
    for (const LabRow& row : report.rows) lines.push_back(rowCells(row));
    appendTable(lines, out);
    for (const std::string& note : labNotes(report)) out += "  " + note + "\n";
    for (const LabCheck& check : labChecks(report))
      out += fmt::format("  {:<12} {}\n", labVerdictText(check.verdict), labCheckText(check));
  }
  if (!reports.empty()) out += fmt::format("\n{}\n{}\n", reports.front().machine, kLabPublished);
  return out;
}

std::string labMarkdown(std::span<const LabReport> reports) {
  std::string out;
  Cells names = headCells();
  names[3] = names[5] = "±";
  for (const LabReport& report : reports) {
    out += (out.empty() ? "" : "\n") + heading(report) + "\n\n" + markdownLine(names);
    out += "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
    for (const LabRow& row : report.rows) out += markdownLine(rowCells(row));
    out += "\n";
    for (const std::string& note : labNotes(report)) out += "* " + note + "\n";
    for (const LabCheck& check : labChecks(report))
      out += fmt::format("* {}: {}\n", labVerdictText(check.verdict), labCheckText(check));
  }
  if (!reports.empty()) out += fmt::format("\n{}. {}\n", reports.front().machine, kLabPublished);
  return out;
}

std::string labCsv(std::span<const LabReport> reports) {
  std::string out =
      "experiment,way,phase,pages,amount,unit,repetitions,disturbed,wall_ns,wall_low_ns,wall_high_ns,processor_ns,"
      "processor_low_ns,processor_high_ns,undisturbed_processor_ns,undisturbed_processor_low_ns,"
      "undisturbed_processor_high_ns,faults,least_faults,most_faults,expected_faults,published,note\n";
  for (const LabReport& report : reports)
    for (const LabRow& row : report.rows) {
      out += fmt::format("{},{},{},{},{},{},", report.experiment, csvCell(row.way), csvCell(row.phase), row.pages,
                         row.amount, row.unit);
      if (const auto summary = summarize(row))
        out += fmt::format("{},{},{},{},{},{},{},{},", summary->repetitions,
                           row.alone ? fmt::format("{}", summary->disturbed()) : "", csvSpread(summary->wall),
                           csvSpread(summary->processor), csvSpread(summary->quietProcessor), summary->faults,
                           summary->leastFaults, summary->mostFaults);
      else out += "0,,,,,,,,,,,,,,";
      out += fmt::format("{},{},{}\n", row.expectedFaults ? fmt::format("{}", *row.expectedFaults) : "",
                         csvCell(row.published), csvCell(row.note));
    }
  return out;
}

}  // namespace faultline

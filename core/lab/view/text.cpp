#include "core/lab/view/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/lab/checks.h"
#include "core/lab/summary.h"
#include "core/lab/view/cells.h"
#include "core/text/table.h"

namespace faultline {
namespace {

constexpr auto kCells = static_cast<std::size_t>(LabColumn::Count);

TextTable tableOf(const LabReport& report) {
  TextTable table{.rows = {TextCells()}, .left = [](std::size_t i) { return i < 2 || i + 1 == kCells; }};
  for (std::size_t i = 0; i < kCells; ++i) table.rows.front().emplace_back(labColumn(static_cast<LabColumn>(i)).title);
  for (const LabRow& row : report.rows) {
    const auto cells = labCells(row);
    table.rows.emplace_back(cells.begin(), cells.end());
  }
  return table;
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

std::string csvSpread(const std::optional<LabSpread>& spread) {
  return spread ? fmt::format("{:.0f},{:.0f},{:.0f}", spread->median, spread->low, spread->high) : ",,";
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
    out += alignedTable(tableOf(report));
    for (const std::string& note : labNotes(report)) out += "  " + note + "\n";
    for (const LabCheck& check : labChecks(report))
      out += fmt::format("  {:<12} {}\n", labVerdictText(check.verdict), labCheckText(check));
  }
  if (!reports.empty()) out += fmt::format("\n{}\n{}\n", reports.front().machine, kLabPublished);
  return out;
}

std::string labMarkdown(std::span<const LabReport> reports) {
  std::string out;
  for (const LabReport& report : reports) {
    TextTable table = tableOf(report);
    table.rows.front()[3] = table.rows.front()[5] = "±";
    out += (out.empty() ? "" : "\n") + heading(report) + "\n\n" + markdownTable(table);
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
      out += fmt::format("{},{},{},{},{},{},", report.experiment, csvField(row.way), csvField(row.phase), row.pages,
                         row.amount, row.unit);
      if (const auto summary = summarize(row))
        out += fmt::format("{},{},{},{},{},{},{},{},", summary->repetitions,
                           row.alone ? fmt::format("{}", summary->disturbed()) : "", csvSpread(summary->wall),
                           csvSpread(summary->processor), csvSpread(summary->quietProcessor), summary->faults,
                           summary->leastFaults, summary->mostFaults);
      else out += "0,,,,,,,,,,,,,,";
      out += fmt::format("{},{},{}\n", row.expectedFaults ? fmt::format("{}", *row.expectedFaults) : "",
                         csvField(row.published), csvField(row.note));
    }
  return out;
}

}  // namespace faultline

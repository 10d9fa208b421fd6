#include "core/trial/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/quantity.h"
#include "core/text/table.h"
#include "core/trial/frame_text.h"
#include "core/trial/run_text.h"

namespace faultline {
namespace {

std::string percent(double share) {
  return fmt::format("{:.{}f}", 100 * share, std::abs(share) < 0.0995 ? 1 : 0);
}

std::string memoryText(double bytes) {
  const auto size = static_cast<std::uint64_t>(std::abs(bytes));
  return (bytes < 0 ? "-" : "+") + formatBytes(size);
}

// Removes the columns of which no line knows the value; the notes tell why.
void dropUnknown(std::vector<TextCells>& lines) {
  for (std::size_t i = lines.front().size(); i-- > 0;) {
    const auto unknown = [i](const TextCells& line) { return line[i] == kUnknownCell; };
    if (std::all_of(lines.begin() + 1, lines.end(), unknown))
      for (TextCells& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

TextTable tableOf(const TrialReport& report, const TrialResult& result) {
  const auto line = [](const std::string& first, TextCells cells, const std::string& last) {
    cells.insert(cells.begin(), first);
    cells.push_back(last);
    return cells;
  };
  const auto cells = [&report](const TrialMedians& medians, const std::string& verdict) {
    return report.watched ? frameCells(medians, verdict) : runCells(report, medians, verdict);
  };
  std::vector<TextCells> lines{line("remedy", report.watched ? frameHead() : runHead(), "price"),
                               line("(none)", cells(result.plain, ""), "")};
  for (const TrialRow& row : result.rows)
    lines.push_back(
        line(report.tried[row.index].remedy.name, cells(row.medians, verdictText(row)), memoryText(row.morePeakBytes)));
  dropUnknown(lines);
  const TextCells head = lines.front();
  return {.rows = std::move(lines), .left = [head](std::size_t i) { return i == 0 || head[i] == "verdict"; }};
}

std::string words(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + printableName(word);
  return text;
}

std::string heading(const TrialReport& report, const TrialResult& result) {
  return fmt::format("{}: {} of {} rounds, each with one run without and one with each remedy, in random order{}",
                     words(report.command), result.rounds, report.rounds, report.interrupted ? " (interrupted)" : "");
}

std::vector<std::string> notes(const TrialReport& report, const TrialResult& result) {
  std::vector<std::string> lines;
  for (const TrialRow& row : result.rows) {
    const Remedy& remedy = report.tried[row.index].remedy;
    lines.push_back(fmt::format("{} {}: {}", remedy.name, remedy.what, printableName(asTyped(remedy))));
  }
  for (const Remedy& remedy : report.absent) lines.push_back(absentText(remedy));
  for (const TrialRow& row : result.rows)
    if (row.output)
      lines.push_back(fmt::format("{} changes the output{}: {}.", report.tried[row.index].remedy.name,
                                  report.sameOutput ? "" : ", which --same-output would reject",
                                  differenceText(*row.output)));
  lines.push_back(
      fmt::format("Times, faults and memory are medians. A verdict compares the runs of a round by the {}: the median "
                  "saving, and its interval with a confidence of {:.2f} %, so that all intervals together have 95 %.",
                  measureText(result.measure), 100 * result.confidence));
  for (std::string& note : report.watched ? frameNotes(report, result) : runNotes(report))
    lines.push_back(std::move(note));
  lines.push_back(
      fmt::format("{} exact, and {} of the program and all processes that it started{}. Peak memory is "
                  "that of the largest single process; the price is the median difference.",
                  report.watched ? "CPU time is" : "Faults and CPU time are", report.watched ? "that" : "those",
                  report.watched ? ", divided by the frames, and without Faultline's own" : ""));
  lines.push_back("Standard input was " + (report.input.empty() ? "empty." : printableName(report.input) + "."));
  if (result.rounds > 0 && (report.plain.front().code != 0 || report.plain.front().signal != 0))
    lines.push_back(report.plain.front().signal != 0
                        ? fmt::format("Without a remedy, signal {} killed the program.", report.plain.front().signal)
                        : fmt::format("Without a remedy, the program's exit code was {}.", report.plain.front().code));
  if (result.outputVaries)
    lines.emplace_back("The program's own runs differ in standard output, which therefore cannot be compared.");
  if (result.exitCodeVaries)
    lines.emplace_back("The program's own runs differ in their exit codes, which therefore cannot be compared.");
  if (report.repeated > 0 || result.disturbedRuns > 0)
    lines.push_back(fmt::format(
        "In {} runs the program's first thread waited for a processor for more than 10 % of the time. {} of them were "
        "repeated, {} are part of the result.",
        report.repeated + result.disturbedRuns, report.repeated, result.disturbedRuns));
  if (std::ranges::any_of(result.rows, [](const TrialRow& row) { return row.verdict == TrialVerdict::TooFewRuns; }))
    lines.push_back(roundsNeededText(report, Nanoseconds(std::llround(result.plain.wall))));
  return lines;
}

std::string aboutTime(const TrialReport& report, std::size_t rounds, Nanoseconds run) {
  const auto runs = static_cast<std::int64_t>(rounds * (report.tried.size() + 1));
  return "about " + formatDuration(report.watched ? run * runs : run * runs * 3 / 2);  // every second round once more
}

std::string gainText(const TrialRow& row) {
  switch (row.verdict) {
    case TrialVerdict::Better:
      return fmt::format("better by {} % ({} to {})", percent(row.gain->median), percent(row.gain->low),
                         percent(row.gain->high));
    case TrialVerdict::Worse:
      return fmt::format("worse by {} % ({} to {})", percent(-row.gain->median), percent(-row.gain->high),
                         percent(-row.gain->low));
    case TrialVerdict::NoDifference:
      return "no difference shown";
    case TrialVerdict::OtherOutput:
      return "changes the output";
    case TrialVerdict::OtherExitCode:
      return "changes the exit code";
    case TrialVerdict::TooFewRuns:
      return "too few runs";
  }
  return {};
}

}  // namespace

std::string verdictText(const TrialRow& row) {
  const bool told = row.output && row.verdict != TrialVerdict::OtherOutput;
  return gainText(row) + (told ? ", other output" : "");
}

std::string timeNeededText(const TrialReport& report, Nanoseconds run) {
  return fmt::format("{} rounds of {} runs take {}.", report.rounds, report.tried.size() + 1,
                     aboutTime(report, report.rounds, run));
}

std::string roundsNeededText(const TrialReport& report, Nanoseconds run) {
  const std::size_t needed = neededRounds(report.tried.size());
  return fmt::format("A verdict on {} {} needs {} rounds, {}: give --rounds {}.", report.tried.size(),
                     report.tried.size() == 1 ? "remedy" : "remedies", needed, aboutTime(report, needed, run), needed);
}

std::string absentText(const Remedy& remedy) {
  return fmt::format("{} is unavailable: {}.{}{}", remedy.name, remedy.absent->why,
                     remedy.absent->enable.empty() ? "" : " ", remedy.absent->enable);
}

std::string trialAdvice(const TrialReport& report, const TrialResult& result) {
  const TrialRow* best = bestOf(result);
  const std::string measure = measureText(result.measure);
  if (best == nullptr)
    return report.watched ? "No remedy is recommended: of the " + measure +
                                ", none is proven to save what is worth 1 % of the frames' time."
                          : "No remedy is recommended: none is proven to save 1 % or more of the wall time.";
  return fmt::format(
      "Try: {}. Proven in {} interleaved rounds{}: {} to {}, {} % less ({} to {}). Price: {} of peak memory.{}",
      printableName(asTyped(report.tried[best->index].remedy)), result.rounds,
      report.watched ? ", by the " + measure : "", figureText(result.measure, result.plain),
      figureText(result.measure, best->medians), percent(best->gain->median), percent(best->gain->low),
      percent(best->gain->high), memoryText(best->morePeakBytes),
      best->output ? " It changes the output: " + differenceText(*best->output) + "." : "");
}

std::string trialTable(const TrialReport& report) {
  const TrialResult result = judge(report);
  std::string out = heading(report, result) + "\n" + alignedTable(tableOf(report, result));
  for (const std::string& note : notes(report, result)) out += "  " + note + "\n";
  return out + trialAdvice(report, result) + "\n";
}

std::string trialMarkdown(const TrialReport& report) {
  const TrialResult result = judge(report);
  std::string out = heading(report, result) + "\n\n";
  out += markdownTable(tableOf(report, result));
  out += "\n";
  for (const std::string& note : notes(report, result)) out += "* " + note + "\n";
  return out + "\n" + trialAdvice(report, result) + "\n";
}

}  // namespace faultline

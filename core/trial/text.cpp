#include "core/trial/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using Cells = std::vector<std::string>;

const Cells kHead{"remedy", "wall", "verdict", "cpu", "minor faults", "major", "peak memory", "price"};
constexpr std::size_t kVerdict = 2;

std::string timeText(double ns) {
  return formatDuration(Nanoseconds(std::llround(ns)));
}

std::string percent(double share) {
  return fmt::format("{:.{}f}", 100 * share, std::abs(share) < 0.0995 ? 1 : 0);
}

std::string memoryText(double bytes) {
  const auto size = static_cast<std::uint64_t>(std::abs(bytes));
  return (bytes < 0 ? "-" : "+") + formatBytes(size);
}

Cells cells(const std::string& name, const TrialMedians& medians, const std::string& verdict,
            const std::string& price) {
  return {name,
          timeText(medians.wall),
          verdict,
          timeText(medians.processor),
          formatCount(medians.minorFaults),
          formatCount(medians.majorFaults),
          (medians.peakAtMost ? "≤ " : "") + formatBytes(medians.peakBytes),
          price};
}

std::vector<Cells> tableOf(const TrialReport& report, const TrialResult& result) {
  std::vector<Cells> lines{kHead, cells("(none)", result.plain, "", "")};
  for (const TrialRow& row : result.rows)
    lines.push_back(
        cells(report.tried[row.index].remedy.name, row.medians, verdictText(row), memoryText(row.morePeakBytes)));
  return lines;
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
  lines.push_back(
      fmt::format("Times, faults and memory are medians. A verdict compares the wall times of the same round: the "
                  "median saving, and "
                  "its interval with a confidence of {:.2f} %, so that all intervals together have 95 %.",
                  100 * result.confidence));
  lines.emplace_back(
      "Faults and CPU time are exact, and are those of the program and all processes that it started. Peak memory is "
      "that of the largest single process; the price is the median difference.");
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
    lines.push_back(fmt::format("A verdict on {} {} needs {} rounds.", report.tried.size(),
                                report.tried.size() == 1 ? "remedy" : "remedies",
                                fewestForInterval(result.confidence)));
  return lines;
}

std::size_t width(const std::string& text) {  // code points; the tables hold no wide characters
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string alignedTable(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(kHead.size());
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  std::string out;
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - width(line[i]), ' ');
      text += (i == 0 ? "" : "  ") + (i == 0 || i == kVerdict ? line[i] + padding : padding + line[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string markdownLine(const Cells& line) {
  std::string text = "|";
  for (const std::string& cell : line) text += " " + cell + " |";
  return text + "\n";
}

}  // namespace

std::string verdictText(const TrialRow& row) {
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

std::string absentText(const Remedy& remedy) {
  return fmt::format("{} is unavailable: {}.{}{}", remedy.name, remedy.absent->why,
                     remedy.absent->enable.empty() ? "" : " ", remedy.absent->enable);
}

std::string trialAdvice(const TrialReport& report, const TrialResult& result) {
  const TrialRow* best = bestOf(result);
  if (best == nullptr) return "No remedy is recommended: none is proven to save 1 % or more of the wall time.";
  return fmt::format(
      "Try: {}. Proven in {} interleaved rounds: {} to {}, {} % less ({} to {}). Price: {} of peak memory.",
      printableName(asTyped(report.tried[best->index].remedy)), result.rounds, timeText(result.plain.wall),
      timeText(best->medians.wall), percent(best->gain->median), percent(best->gain->low), percent(best->gain->high),
      memoryText(best->morePeakBytes));
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
  const std::vector<Cells> lines = tableOf(report, result);
  out += markdownLine(lines.front()) + "|---|--:|---|--:|--:|--:|--:|--:|\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += markdownLine(lines[i]);
  out += "\n";
  for (const std::string& note : notes(report, result)) out += "* " + note + "\n";
  return out + "\n" + trialAdvice(report, result) + "\n";
}

}  // namespace faultline

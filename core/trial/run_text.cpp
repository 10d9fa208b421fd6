#include "core/trial/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/names.h"
#include "core/text/quantity.h"
#include "core/trial/frame_text.h"

namespace faultline {
namespace {

Grade gradeOf(const TrialReport& report, ProcessMetric metric) {
  return report.memoryQuality ? (*report.memoryQuality)[runFigure(metric)].grade : Grade::Exact;
}

// "256 MiB (≈ 74.1 ms)"; the time in brackets only if it is known.
std::string figureText(const TrialReport& report, const TrialMedians& medians, ProcessMetric metric,
                       std::optional<ProcessMetric> time = {}) {
  const auto& value = medians.memory[runFigure(metric)];
  if (!value) return kUnknownCell;
  std::string text = amountText(*value, field(metric).unit, gradeOf(report, metric));
  if (time && medians.memory[runFigure(*time)]) text += " (" + figureText(report, medians, *time) + ")";
  return text;
}

// The figures of a table that have this quality.
std::string noteOf(const RunMemoryQuality& all, const Quality& quality) {
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == quality && !kRunFigures[i].part) titles.emplace_back(field(kRunFigures[i].metric).title);
  return qualityNote(titles, quality);
}

}  // namespace

std::string amountText(double value, Unit unit, Grade grade) {
  const auto whole = static_cast<std::uint64_t>(std::llround(std::max(value, 0.0)));
  const std::string text = unit == Unit::Duration ? formatDuration(value)
                           : unit == Unit::Bytes  ? formatBytes(whole)
                                                  : formatCount(whole);
  return (grade == Grade::Estimated ? "≈ " : "") + text;
}

std::string qualityNote(const std::vector<std::string>& titles, const Quality& quality) {
  std::string names;
  for (std::size_t i = 0; i < titles.size(); ++i)
    names += (i == 0 ? "" : i + 1 == titles.size() ? " and " : ", ") + titles[i];
  std::string text =
      fmt::format("{} {} {}: {}", names, titles.size() == 1 ? "is" : "are", gradeName(quality.grade), quality.how);
  if (!text.ends_with('.')) text += '.';
  if (quality.enable.empty()) return text;
  return text + " To enable it: " + quality.enable + (quality.enable.ends_with('.') ? "" : ".");
}

std::vector<std::string> runHead() {
  return {"wall", "verdict", "cpu", "minor faults", "major", "in faults", "zeroed", "freed", "peak memory"};
}

std::vector<std::string> runCells(const TrialReport& report, const TrialMedians& medians, const std::string& verdict) {
  return {formatDuration(medians.wall),
          verdict,
          formatDuration(medians.processor),
          formatCount(medians.minorFaults),
          formatCount(medians.majorFaults),
          figureText(report, medians, ProcessMetric::FaultTime),
          figureText(report, medians, ProcessMetric::ZeroedBytes, ProcessMetric::ZeroingTime),
          figureText(report, medians, ProcessMetric::FreedBytes, ProcessMetric::TeardownTime),
          (medians.peakAtMost ? "≤ " : "") + formatBytes(medians.peakBytes)};
}

std::vector<std::string> runNotes(const TrialReport& report) {
  if (!report.memoryQuality) return {};
  std::vector<std::string> notes;
  if (!report.plainMemory.empty())
    notes.push_back(fmt::format(
        "Time in faults, zeroed and freed memory, with the time of zeroing and of freeing in brackets, are medians of "
        "{}, in which a collector measured all processes of each run, their start and end included. The "
        "times of these rounds are not compared: a measured fault takes longer.",
        report.plainMemory.size() == 1 ? "one more round" : fmt::format("{} more rounds", report.plainMemory.size())));
  const RunMemoryQuality& all = *report.memoryQuality;
  std::vector<Quality> told;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kRunFigures[i].part || all[i].grade == Grade::Exact || std::ranges::find(told, all[i]) != told.end()) continue;
    told.push_back(all[i]);
    notes.push_back(noteOf(all, all[i]));
  }
  return notes;
}

}  // namespace faultline

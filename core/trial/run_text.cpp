#include "core/trial/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/names.h"
#include "core/text/quantity.h"
#include "core/trial/frame_text.h"

namespace faultline {
namespace {

bool estimates(const TrialReport& report, ProcessMetric metric) {
  return report.memoryQuality && (*report.memoryQuality)[runFigure(metric)].grade == Grade::Estimated;
}

// "256 MiB (≈ 74.1 ms)"; the time in brackets only if it is known.
std::string figureText(const TrialReport& report, const TrialMedians& medians, ProcessMetric metric,
                       std::optional<ProcessMetric> time = {}) {
  const auto& value = medians.memory[runFigure(metric)];
  if (!value) return kUnknownCell;
  const bool isTime = field(metric).unit == Unit::Duration;
  std::string text = estimates(report, metric) ? "≈ " : "";
  text += isTime ? timeText(*value) : formatBytes(static_cast<std::uint64_t>(std::llround(*value)));
  if (time && medians.memory[runFigure(*time)]) text += " (" + figureText(report, medians, *time) + ")";
  return text;
}

// "Fault time and Freed are unavailable: REASON. To enable it: REMEDY."
std::string qualityNote(const RunMemoryQuality& all, const Quality& quality) {
  std::string titles;
  std::size_t count = 0;
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i] != quality) continue;
    const std::string title(field(kRunFigures[i].metric).title);
    titles = title + (count == 0 ? "" : count == 1 ? " and " : ", ") + titles;
    ++count;
  }
  std::string text =
      fmt::format("{} {} {}: {}", titles, count == 1 ? "is" : "are", gradeName(quality.grade), quality.how);
  if (!text.ends_with('.')) text += '.';
  if (quality.enable.empty()) return text;
  return text + " To enable it: " + quality.enable + (quality.enable.ends_with('.') ? "" : ".");
}

}  // namespace

std::vector<std::string> runHead() {
  return {"wall", "verdict", "cpu", "minor faults", "major", "in faults", "zeroed", "freed", "peak memory"};
}

std::vector<std::string> runCells(const TrialReport& report, const TrialMedians& medians, const std::string& verdict) {
  return {timeText(medians.wall),
          verdict,
          timeText(medians.processor),
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
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::ranges::find(all, all[i]) - all.begin());
    if (first == i && all[i].grade != Grade::Exact) notes.push_back(qualityNote(all, all[i]));
  }
  return notes;
}

}  // namespace faultline

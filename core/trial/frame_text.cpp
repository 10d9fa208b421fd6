#include "core/trial/frame_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

struct MeasureWords {
  const char* name;
  const char* words;
};
// In the order of TrialMeasure.
constexpr std::array<MeasureWords, 4> kMeasures{
    {{"wall_time", "wall time"},
     {"fault_and_teardown_time_per_frame", "mean time of a frame in page faults and in giving memory back"},
     {"fault_time_per_frame", "mean time of a frame in page faults"},
     {"faults_per_frame", "mean number of page faults of a frame"}}};

std::string faultsText(double count) {
  return count < 100 ? fmt::format("{:.1f}", count) : formatCount(static_cast<std::uint64_t>(std::llround(count)));
}

std::string meanText(const FrameFigures& frames, FrameMetric metric) {
  if (const auto& mean = frames.of(metric))
    return field(metric).unit == Unit::Bytes ? formatBytes(static_cast<std::uint64_t>(std::llround(*mean)))
                                             : formatDuration(*mean);
  const bool about = metric == FrameMetric::FaultTime && frames.inFaultsAbout;
  return about ? "about " + formatDuration(*frames.inFaultsAbout) : kUnknownCell;
}

std::string unavailableText(const std::string& what, const Quality& quality) {
  if (quality.grade != Grade::Unavailable)
    return what +
           " is unavailable: a run was over before half of its frames could be measured. Longer runs are needed.";
  std::string text = what + " is unavailable: " + quality.how + ".";
  if (!quality.enable.empty()) text += " To enable it: " + quality.enable + (quality.enable.ends_with('.') ? "" : ".");
  return text;
}

}  // namespace

std::vector<std::string> frameHead() {
  return {"faults", "in faults", "zeroed",  "giving back", "verdict",    "late by memory",
          "p50",    "p99",       "1 % low", "cpu",         "peak memory"};
}

std::vector<std::string> frameCells(const TrialMedians& medians, const std::string& verdict) {
  std::vector<std::string> cells(frameHead().size(), kUnknownCell);
  if (medians.frames) {
    const FrameFigures& frames = *medians.frames;
    cells = {faultsText(frames.faults),
             meanText(frames, FrameMetric::FaultTime),
             meanText(frames, FrameMetric::ZeroedBytes),
             meanText(frames, FrameMetric::TeardownTime),
             {},
             formatPercent(frames.lateByMemory),
             formatDuration(frames.p50),
             formatDuration(frames.p99),
             fmt::format("{:.1f}/s", frames.low),
             formatDuration(medians.processorPerFrame),
             {}};
  }
  cells[4] = verdict;
  cells.back() = (medians.peakAtMost ? "≤ " : "") + formatBytes(medians.peakBytes);
  return cells;
}

std::string measureText(TrialMeasure measure) {
  return kMeasures.at(static_cast<std::size_t>(measure)).words;
}

const char* measureName(TrialMeasure measure) {
  return kMeasures.at(static_cast<std::size_t>(measure)).name;
}

std::string figureText(TrialMeasure measure, const TrialMedians& medians) {
  if (measure == TrialMeasure::Wall) return formatDuration(medians.wall);
  if (!medians.frames) return kUnknownCell;
  if (measure == TrialMeasure::Faults) return faultsText(medians.frames->faults);
  const auto time = memoryTime(measure, *medians.frames);
  return time ? formatDuration(*time) : kUnknownCell;
}

std::vector<std::string> frameNotes(const TrialReport& report, const TrialResult& result) {
  const WatchedGame& watched = *report.watched;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("Frames end with {}. Their faults are {}: {}.", printableName(watched.mark),
                              gradeName(watched.faults.grade), watched.faults.how));
  const bool counted = result.measure == TrialMeasure::Faults;
  if (counted) {
    lines.push_back(unavailableText("The measured time in page faults", watched.faultTime));
    lines.emplace_back(
        "Verdicts compare the number of faults instead. “About”: the minor faults times the cost of one, as measured "
        "on this machine when each run began; faults of large pages take longer.");
  }
  if (counted || result.measure == TrialMeasure::FaultTime)
    lines.push_back(unavailableText("The time of giving memory back", watched.teardown));
  lines.push_back(fmt::format(
      "Faults and times are those of a frame, all threads together{}; 1 % low is the rate of the slowest 1 % of the "
      "frames. A remedy is recommended if its saving is worth 1 % of the frames' time, {}and p99 is not proven longer.",
      counted ? "" : "; times are means of the frames that came after the measurement had begun",
      counted ? "CPU time is proven to be saved, too, " : ""));
  if (report.duration > Nanoseconds(0))
    lines.push_back(fmt::format("Runs that lasted {} were ended; their output and exit code are not compared.",
                                formatDuration(report.duration)));
  return lines;
}

}  // namespace faultline

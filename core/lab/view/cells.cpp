#include "core/lab/view/cells.h"

#include <fmt/format.h>

#include "core/lab/summary.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::array<LabColumnInfo, static_cast<std::size_t>(LabColumn::Count)> kColumns{{
    {"way", "The way to do the work", true},
    {"phase", "The part of the work that is measured", true},
    {"wall", "Wall time, the median of all repetitions"},
    {"", "Spread of the wall time: half the distance of the quartiles"},
    {"cpu", "CPU time of the thread, or of the process where threads work together; the median"},
    {"", "Spread of the CPU time: half the distance of the quartiles"},
    {"each", "CPU time, else wall time, of one unit of the work"},
    {"faults", "Page faults, minor and major; the median, with the least and the most where they differ"},
    {"expected", "Page faults by arithmetic"},
    {"disturbed",
     "Repetitions with an involuntary context switch or another frequency at their end, and the CPU time without them"},
    {"published", "The figure of the post that describes the experiment, of another machine", true},
}};

std::string spreadText(const LabSpread& spread, std::size_t repetitions) {
  if (repetitions < 2 || !(spread.median > 0)) return "";
  return fmt::format("±{:.0f} %", 50 * (spread.high - spread.low) / spread.median);
}

std::string faultsText(const LabSummary& summary) {
  if (summary.leastFaults == summary.mostFaults) return fmt::format("{}", summary.faults);
  return fmt::format("{} ({}-{})", summary.faults, summary.leastFaults, summary.mostFaults);
}

std::string disturbedText(const LabRow& row, const LabSummary& summary) {
  if (!row.alone) return "–";
  if (summary.disturbed() == 0) return "0";
  if (!summary.quietWall) return fmt::format("{} of {}", summary.disturbed(), summary.repetitions);
  return fmt::format("{}, else {}", summary.disturbed(),
                     formatDuration(summary.quietProcessor.value_or(*summary.quietWall).median));
}

}  // namespace

const LabColumnInfo& labColumn(LabColumn column) {
  return kColumns.at(static_cast<std::size_t>(column));
}

std::array<std::string, static_cast<std::size_t>(LabColumn::Count)> labCells(const LabRow& row) {
  const auto summary = summarize(row);
  if (!summary) return {row.way, row.phase, "–", "", "–", "", "–", "–", "–", "–", row.published};
  const LabSpread best = summary->processor.value_or(summary->wall);
  const double each = row.amount > 0 ? best.median / static_cast<double>(row.amount) : 0;
  return {row.way,
          row.phase,
          formatDuration(summary->wall.median),
          spreadText(summary->wall, summary->repetitions),
          summary->processor ? formatDuration(summary->processor->median) : "–",
          summary->processor ? spreadText(*summary->processor, summary->repetitions) : "",
          row.amount > 0 && !row.unit.empty() ? fmt::format("{}/{}", formatDuration(each), row.unit) : "",
          faultsText(*summary),
          row.expectedFaults ? fmt::format("{}", *row.expectedFaults) : "",
          disturbedText(row, *summary),
          row.published};
}

}  // namespace faultline

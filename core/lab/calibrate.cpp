#include "core/lab/calibrate.h"

#include <fmt/format.h>

#include "core/lab/summary.h"

namespace faultline {
namespace {

constexpr double kMostSpread = 0.15;  // half the distance of the quartiles, of the median
// Of the time of all processors. A busy processor makes its neighbour in the same core slower, by up to a fifth and
// steadily: the spread does not tell.
constexpr double kMostOthers = 0.25;

// Of one unit of the row's amount. Error: too few repetitions without a switch, or they differ too much.
Result<Price> priceOf(const LabReport& report, std::string_view way, std::string_view phase) {
  const LabRow* const row = report.find(way, phase);
  if (row == nullptr || row->amount == 0) return fail(fmt::format("{} of {} was not measured.", phase, way));
  const auto summary = summarize(*row);
  if (summary->switched * 2 > summary->repetitions)
    return fail(
        fmt::format("The machine is too busy to measure what a fault costs: in {} of {} repetitions another "
                    "program took the processor.",
                    summary->switched, summary->repetitions));
  if (summary->disturbed() * 2 > summary->repetitions)
    return fail(
        fmt::format("The machine is too busy to measure what a fault costs: in {} of {} repetitions the "
                    "processor's frequency changed.",
                    summary->otherFrequency, summary->repetitions));
  const auto time = labTime(*row);
  const double spread = time->median > 0 ? (time->high - time->low) / 2 / time->median : 1;
  if (spread > kMostSpread)
    return fail(
        fmt::format("The machine is too busy to measure what a fault costs: repetitions of the same work differ "
                    "by ±{:.0f} %.",
                    100 * spread));
  const auto amount = static_cast<double>(row->amount);
  return Price{.median = time->median / amount, .low = time->low / amount, .high = time->high / amount};
}

}  // namespace

Result<Calibration> calibrationOf(const LabReport& report) {
  if (report.others && *report.others > kMostOthers)
    return fail(
        fmt::format("The machine is too busy to measure what a fault costs: other programs took {:.0f} % of its "
                    "processors' time.",
                    100 * *report.others));
  const auto touch = priceOf(report, kCalibrateSmall, kCalibrateTouch);
  if (!touch) return tl::unexpected(touch.error());
  const auto release = priceOf(report, kCalibrateSmall, kCalibrateFree);
  if (!release) return tl::unexpected(release.error());
  Calibration calibration{.touch = *touch, .release = *release};
  if (const auto large = priceOf(report, kCalibrateLarge, kCalibrateTouch)) calibration.large = *large;
  return calibration;
}

}  // namespace faultline

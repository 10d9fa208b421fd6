#include "core/lab/view/comparison.h"

#include <algorithm>

namespace faultline {
namespace {

LabSpread scaled(LabSpread spread, double factor) {
  return {.median = spread.median * factor, .low = spread.low * factor, .high = spread.high * factor};
}

}  // namespace

const LabReport* sameExperiment(std::span<const LabReport> reports, const LabReport& report) {
  const auto found = std::ranges::find(reports, report.experiment, &LabReport::experiment);
  return found == reports.end() ? nullptr : &*found;
}

LabPair pairOf(const LabRow& row, const LabReport* other) {
  LabPair pair{.here = labTime(row)};
  const LabRow* const same = other != nullptr ? other->find(row.way, row.phase) : nullptr;
  if (same == nullptr || same->unit != row.unit || same->amount == 0 || row.amount == 0) return pair;
  pair.there = scaled(*labTime(*same), static_cast<double>(row.amount) / static_cast<double>(same->amount));
  if (pair.here && pair.here->median > 0) pair.ratio = pair.there->median / pair.here->median;
  return pair;
}

}  // namespace faultline

// A result of the lab beside a result of another machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/compare/columns.h"
#include "core/lab/report.h"
#include "core/lab/summary.h"

namespace faultline {

// The report of the same experiment, or null.
[[nodiscard]] const LabReport* sameExperiment(std::span<const LabReport> reports, const LabReport& report);

struct LabPair {
  std::optional<LabSpread> here{};  // labTime()
  std::optional<LabSpread> there{};
  std::optional<double> ratio{};  // there / here, of equal amounts of work; absent if either lacks
};
// `row` beside the row of `other` with the same way, phase and unit. `other` may be null.
[[nodiscard]] LabPair pairOf(const LabRow& row, const LabReport* other);

// The times of the experiments that both have, row by row.
[[nodiscard]] std::vector<ComparedNumber> comparedNumbers(std::span<const LabReport> before,
                                                          std::span<const LabReport> after);
[[nodiscard]] std::string comparedLabText(std::span<const LabReport> before, std::span<const LabReport> after);
[[nodiscard]] std::string comparedLabJson(std::span<const LabReport> before, std::span<const LabReport> after);

}  // namespace faultline

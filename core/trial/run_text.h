// The report of `faultline-cli try`, as far as it tells of whole runs and not of frames; `stat` tells its sums
// likewise.
#pragma once

#include <string>
#include <vector>

#include "core/model/field.h"
#include "core/trial/report.h"

namespace faultline {

// "≈ 1.21 GiB": in bytes or ns, or a count.
[[nodiscard]] std::string amountText(double value, Unit unit, Grade grade);
// "Fault time and Freed are unavailable: REASON. To enable it: REMEDY."
[[nodiscard]] std::string qualityNote(const std::vector<std::string>& titles, const Quality& quality);

// The cells of a table between the remedy and the price; `verdict` is one of them.
[[nodiscard]] std::vector<std::string> runHead();
[[nodiscard]] std::vector<std::string> runCells(const TrialReport& report, const TrialMedians& medians,
                                                const std::string& verdict);
[[nodiscard]] std::vector<std::string> runNotes(const TrialReport& report);

}  // namespace faultline

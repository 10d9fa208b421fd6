// The report of `faultline-cli try`, as far as it tells of whole runs and not of frames.
#pragma once

#include <string>
#include <vector>

#include "core/trial/report.h"

namespace faultline {

// The cells of a table between the remedy and the price; `verdict` is one of them.
[[nodiscard]] std::vector<std::string> runHead();
[[nodiscard]] std::vector<std::string> runCells(const TrialReport& report, const TrialMedians& medians,
                                                const std::string& verdict);
[[nodiscard]] std::vector<std::string> runNotes(const TrialReport& report);

}  // namespace faultline

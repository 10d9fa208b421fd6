// The report of `faultline-cli try`, as far as it tells of frames in place of run times.
#pragma once

#include <string>
#include <vector>

#include "core/trial/report.h"

namespace faultline {

inline constexpr const char* kUnknownCell = "–";

// The cells of a table between the remedy and the price; `verdict` is one of them.
[[nodiscard]] std::vector<std::string> frameHead();
[[nodiscard]] std::vector<std::string> frameCells(const TrialMedians& medians, const std::string& verdict);

// "mean time of a frame in page faults": the figure that verdicts compare.
[[nodiscard]] std::string measureText(TrialMeasure measure);
// "9.21 ms", "1 639.1": that figure.
[[nodiscard]] std::string figureText(TrialMeasure measure, const TrialMedians& medians);
// "fault_and_teardown_time_per_frame": its name in JSON.
[[nodiscard]] const char* measureName(TrialMeasure measure);
[[nodiscard]] std::vector<std::string> frameNotes(const TrialReport& report, const TrialResult& result);

}  // namespace faultline

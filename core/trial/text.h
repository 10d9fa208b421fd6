// The report of `faultline-cli try` for people and for other programs.
#pragma once

#include <string>
#include <string_view>

#include "core/trial/report.h"

namespace faultline {

struct TrialFormat {
  std::string_view name;
  std::string (*write)(const TrialReport& report);
};

[[nodiscard]] std::string trialTable(const TrialReport& report);
[[nodiscard]] std::string trialMarkdown(const TrialReport& report);
[[nodiscard]] std::string trialJson(const TrialReport& report);

inline constexpr TrialFormat kTrialFormats[]{{"table", trialTable}, {"json", trialJson}, {"markdown", trialMarkdown}};

// "better by 34 % (31 to 36)"; a gain is named only if its interval lies above 0.
[[nodiscard]] std::string verdictText(const TrialRow& row);
// One sentence: the remedy as it is typed, its gain and its price; or that none is recommended.
[[nodiscard]] std::string trialAdvice(const TrialReport& report, const TrialResult& result);
// "12 rounds of 11 runs take about 4 min." `run`: the time of one.
[[nodiscard]] std::string timeNeededText(const TrialReport& report, Nanoseconds run);
// "A verdict on 10 remedies needs 9 rounds, about 4 min: give --rounds 9."
[[nodiscard]] std::string roundsNeededText(const TrialReport& report, Nanoseconds run);
// "keep is unavailable: ...".
[[nodiscard]] std::string absentText(const Remedy& remedy);

}  // namespace faultline

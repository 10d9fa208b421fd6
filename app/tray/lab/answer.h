// The lab in plain words: the question of each experiment, its answer in one sentence, and its claims as sentences.
#pragma once

#include <QString>
#include <string_view>

#include "core/lab/checks.h"
#include "core/lab/report.h"

namespace faultline {

[[nodiscard]] QString labQuestion(std::string_view experiment);  // its name, if it has no question
// "First touch costs 0.31 ms per MiB here: 8 MiB in each frame take 2.48 ms of 16.7 ms." Empty if the rows for it lack.
[[nodiscard]] QString labAnswer(const LabReport& report);
// "first touch / again, a byte a page: 41, at least 10 expected".
[[nodiscard]] QString labClaim(const LabCheck& check);

}  // namespace faultline

// Texts about the numbers: a page on the quality of each, and a line that sums up the present.
#pragma once

#include <QString>

#include "core/monitor/monitor.h"

namespace faultline {

[[nodiscard]] QString qualityPage(const Hello& hello);  // HTML
// One line for a bug report: the machine, its present faults, the worst process, the biggest spike.
[[nodiscard]] QString summarize(const Monitor& monitor);

}  // namespace faultline

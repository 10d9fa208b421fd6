// What a person reads about the numbers: a page on how each is measured, and one line that sums up the present.
#pragma once

#include <QString>

#include "core/monitor/monitor.h"

namespace faultline {

[[nodiscard]] QString qualityPage(const Hello& hello);  // HTML
// One line fit for a bug report: the machine, its faults now, the worst process, the biggest spike.
[[nodiscard]] QString summarize(const Monitor& monitor);

}  // namespace faultline

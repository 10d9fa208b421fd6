// Texts for the processes that made a peak, in a tooltip.
#pragma once

#include <QString>

#include "app/tray/plots/lines.h"
#include "core/monitor/peak_causes.h"

namespace faultline {

[[nodiscard]] QString seriesValue(ProcessMetric metric,
                                  double value);  // "16.4 k/s", "512 MiB/s", "41.0 ms/s", "1.20 GiB"
// "12:03:11.500", with its day if `dated`, and a line for each process; empty if there is none.
[[nodiscard]] QString peakWords(const Monitor& monitor, Panel panel, MonotonicTime from, MonotonicTime to, bool dated);

}  // namespace faultline

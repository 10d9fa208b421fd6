// A Monitor that estimates by the calibration of this machine.
#pragma once

#include "app/cli/stream/common_options.h"
#include "core/monitor/monitor.h"

namespace faultline {

// The synthetic machine has no calibration.
void ingestCalibrated(Monitor& monitor, const Hello& hello, const CommonOptions& common);

}  // namespace faultline

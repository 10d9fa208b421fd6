// The words for a spike that every front end uses.
#pragma once

#include <string>

#include "core/monitor/spike_detector.h"

namespace faultline {

[[nodiscard]] std::string spikeAmount(const Spike& spike);  // "8 192 minor faults in 1.50 s"
[[nodiscard]] std::string spikePeak(const Spike& spike);    // "peak 16.4 k/s"

}  // namespace faultline

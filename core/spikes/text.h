// The texts for spikes in all front ends.
#pragma once

#include <string>

#include "core/spikes/groups.h"

namespace faultline {

[[nodiscard]] std::string spikeAmount(const Spike& spike);  // its metric: "8 192 minor faults in 1.50 s"
[[nodiscard]] std::string spikeRest(const Spike& spike);    // the other metrics: "32.0 MiB zeroed, 14.0 ms in faults"
[[nodiscard]] std::string spikeRate(ProcessMetric metric, double perSecond);  // "16.4 k/s", "512 MiB/s", "41.0 ms/s"
[[nodiscard]] std::string spikePeak(const Spike& spike);                      // "peak 16.4 k/s"
[[nodiscard]] std::string habitTimes(const SpikeGroup& group);                // "22 times, every 5.00 s"
[[nodiscard]] std::string habitAmount(const SpikeGroup& group);               // "26 350 minor faults each"

}  // namespace faultline

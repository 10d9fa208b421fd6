// One line of text per spike, or per group of spikes that repeat.
#pragma once

#include <string>

#include "core/spikes/groups.h"

namespace faultline {

[[nodiscard]] std::string clockText(WallTime time);  // "12:03:11", local
// "12:03:11 game: 8 192 minor faults in 500 ms, peak 16.4 k/s"
[[nodiscard]] std::string spikeText(const Spike& spike);
[[nodiscard]] std::string spikeText(const SpikeGroup& group);

}  // namespace faultline

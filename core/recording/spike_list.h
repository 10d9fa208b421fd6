// The spikes of a recording, as the program that wrote the recording found them: in its end packet (format.md, kind 4),
// so that a long recording shows them before all of it has been read.
#pragma once

#include <optional>
#include <vector>

#include "core/spikes/spike.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline {

// Each rate is rounded to a thousandth per second.
void packSpikes(const std::vector<Spike>& spikes, wire::Packer& out);

// Absent if a spike is impossible, or of a kind that this version does not know.
[[nodiscard]] std::optional<std::vector<Spike>> readSpikes(wire::TokenReader& in);

}  // namespace faultline

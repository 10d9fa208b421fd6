#include "app/cli/text/spike_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {

std::string clockText(WallTime time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time.sinceEpoch).count();
  return fmt::format("{:%H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string spikeText(const Spike& spike) {
  return fmt::format("{} {}: {}, {}", clockText(spike.wallStart), printableName(spike.name), spikeAmount(spike),
                     spikePeak(spike));
}

std::string spikeText(const SpikeGroup& group) {
  if (group.times() == 1) return spikeText(group.first());
  return fmt::format("{} {}: {}, {}, {}", clockText(group.first().wallStart), printableName(group.first().name),
                     habitTimes(group), habitAmount(group), spikePeak(group.typical()));
}

}  // namespace faultline

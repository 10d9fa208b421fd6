#include "app/cli/spike_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/text/quantity.h"

namespace faultline {

std::string clockText(WallTime time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time.sinceEpoch).count();
  return fmt::format("{:%H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string spikeText(const Spike& spike) {
  return fmt::format("{} {}: {} {} faults in {}, peak {}/s", clockText(spike.wallStart), printableName(spike.name),
                     formatCount(spike.faults), spike.metric == ProcessMetric::MajorFaults ? "major" : "minor",
                     formatDuration(spike.end - spike.start), formatRate(spike.peakPerSecond));
}

}  // namespace faultline

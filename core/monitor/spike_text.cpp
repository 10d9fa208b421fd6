#include "core/monitor/spike_text.h"

#include "core/text/quantity.h"

namespace faultline {

std::string spikeAmount(const Spike& spike) {
  const std::string kind = spike.metric == ProcessMetric::MajorFaults ? " major" : " minor";
  return formatCount(spike.faults) + kind + (spike.faults == 1 ? " fault in " : " faults in ") +
         formatDuration(spike.end - spike.start);
}

std::string spikePeak(const Spike& spike) {
  return "peak " + formatRate(spike.peakPerSecond) + "/s";
}

}  // namespace faultline

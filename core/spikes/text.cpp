#include "core/spikes/text.h"

#include <cmath>

#include "core/text/quantity.h"

namespace faultline {
namespace {

std::string counted(std::uint64_t count, const char* kind) {
  return formatCount(count) + kind + (count == 1 ? " fault" : " faults");
}

// ", game freed 2.00 GiB", or empty
std::string freedText(const Spike& spike) {
  if (!spike.freed) return {};
  return ", " + printableName(spike.freed->name) + " freed " + formatBytes(spike.freed->bytes);
}

// "≈ 80 % of a core for 1.00 s, game freed 2.00 GiB"
std::string zeroingText(const Spike& spike) {
  const Nanoseconds length = spike.end - spike.start;
  const auto ns = static_cast<double>(spike.cost.get(ProcessMetric::ZeroingTime).value_or(0));
  std::string text =
      "≈ " + formatPercent(ns / static_cast<double>(length.count())) + " of a core for " + formatDuration(length);
  return text + freedText(spike);
}

std::string mark(const Spike& spike, ProcessMetric metric) {
  const bool estimated = (metric == ProcessMetric::ZeroedBytes && spike.zeroedEstimated) ||
                         (metric == ProcessMetric::TeardownTime && spike.teardownEstimated);
  return estimated ? "≈ " : "";
}

std::string amountOf(ProcessMetric metric, std::uint64_t value) {
  switch (metric) {
    case ProcessMetric::MajorFaults:
      return counted(value, " major");
    case ProcessMetric::ZeroedBytes:
      return formatBytes(value) + " zeroed";
    case ProcessMetric::ResidentBytes:
      return formatBytes(value) + " more in RAM";
    case ProcessMetric::FaultTime:
      return formatDuration(Nanoseconds(static_cast<Nanoseconds::rep>(value))) + " in faults";
    case ProcessMetric::ZeroingTime:
      return "≈ " + formatDuration(Nanoseconds(static_cast<Nanoseconds::rep>(value))) + " of a core";
    case ProcessMetric::TeardownTime:
      return formatDuration(Nanoseconds(static_cast<Nanoseconds::rep>(value))) + " giving memory back";
    default:
      return counted(value, " minor");
  }
}

bool isTime(ProcessMetric metric) {
  return metric == ProcessMetric::FaultTime || metric == ProcessMetric::TeardownTime ||
         metric == ProcessMetric::ZeroingTime;
}

bool countsFaults(ProcessMetric metric) {
  return metric == ProcessMetric::MinorFaults || metric == ProcessMetric::MajorFaults;
}

std::string amountOf(const Spike& spike) {
  if (spike.of == SpikeOf::ZeroedList) return "at least " + formatCount(spike.faults) + " pages zeroed in faults";
  return mark(spike, spike.metric) +
         amountOf(spike.metric, countsFaults(spike.metric) ? spike.faults : spike.cost.get(spike.metric).value_or(0));
}

}  // namespace

std::string spikeAmount(const Spike& spike) {
  if (spike.of == SpikeOf::ZeroingThreads) return zeroingText(spike);
  const std::string length = formatDuration(spike.end - spike.start);
  return amountOf(spike) + (isTime(spike.metric) ? " within " : " in ") + length;
}

std::string spikeRest(const Spike& spike) {
  std::string rest;
  for (const ProcessMetric metric : kSpikeMetrics) {
    const std::uint64_t value = spike.cost.get(metric).value_or(0);
    if (metric == spike.metric || value == 0) continue;
    rest += (rest.empty() ? "" : ", ") + mark(spike, metric) + amountOf(metric, value);
  }
  return rest;
}

std::string spikeRate(ProcessMetric metric, double perSecond) {
  if (metric == ProcessMetric::ZeroedBytes || metric == ProcessMetric::ResidentBytes)
    return formatBytes(static_cast<std::uint64_t>(std::llround(perSecond))) + "/s";
  if (isTime(metric)) return formatDuration(perSecond) + "/s";
  return formatRate(perSecond) + "/s";
}

std::string spikePeak(const Spike& spike) {
  return "peak " + mark(spike, spike.metric) + spikeRate(spike.metric, spike.peakPerSecond);
}

std::string habitTimes(const SpikeGroup& group) {
  if (group.times() == 1) return "once";
  const std::vector<Nanoseconds> pauses = group.pauses();
  std::string times = formatCount(group.times()) + " times";
  if (pauses.empty()) return times + " at once";
  if (const std::size_t occasions = pauses.size() + 1; occasions < group.times())
    times += " on " + formatCount(occasions) + " occasions";
  const std::string shortest = formatDuration(pauses.front());
  const std::string longest = formatDuration(pauses.back());
  if (pauses.size() == 1) return times + ", " + longest + " apart";
  if (const auto every = rhythm(pauses)) return times + ", every " + formatDuration(*every);
  return times + ", irregular, between " + shortest + " and " + longest;
}

std::string habitAmount(const SpikeGroup& group) {
  return amountOf(group.typical()) + " each" + freedText(group.typical());
}

}  // namespace faultline

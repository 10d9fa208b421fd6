#include "core/spikes/rule.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

// A process that passes the absolute threshold all the time must pass so many times what is high for it.
constexpr double kHabit = 3;

constexpr std::uint32_t kFewestValues = 16;  // before there is a past to stand out from

// A start must cost so many times the least: 800 MB in small pages. Few compilers touch as much in a row.
constexpr double kStartFactor = 100;
constexpr Nanoseconds kStartBurst = std::chrono::seconds(8);  // within this time

double seconds(Nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}

SpikeRule ruleOf(double absolute, std::uint64_t least, Nanoseconds length) {
  const double felt = static_cast<double>(std::max<std::uint64_t>(least, 1));
  const double start = felt * kStartFactor;
  return {absolute, felt / seconds(std::max(kBurst, length)), felt, start / seconds(std::max(kStartBurst, length)),
          start};
}

}  // namespace

double SpikeRule::enter(const SpikeOptions& options, Baseline& past) const {
  if (past.count() < kFewestValues) return absolute;
  const double usual = past.median();
  const double high = past.high();
  // Rates are skewed: their noise is even on a scale that is linear far below the floor and logarithmic above.
  const double bend = floor / 2;
  const double noise = (bend + usual) * std::pow((bend + high) / (bend + usual), options.reach) - bend;
  const double relative = std::max({floor, usual * options.factor, noise});
  return std::min(relative, std::max(absolute, std::min(noise, high * kHabit)));
}

SpikeRule spikeRule(const SpikeOptions& options, ProcessMetric metric, Nanoseconds length) {
  switch (metric) {
    case ProcessMetric::MajorFaults:
      return ruleOf(options.majorPerSecond, options.leastMajorFaults, length);
    case ProcessMetric::ZeroedBytes:
      return ruleOf(options.zeroedPerSecond, options.leastZeroed, length);
    case ProcessMetric::FaultTime:
      return ruleOf(options.faultNsPerSecond, options.leastFaultNs, length);
    default:
      return ruleOf(options.minorPerSecond, options.leastFaults, length);
  }
}

}  // namespace faultline

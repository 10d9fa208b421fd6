#include "core/spikes/rule.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

// A process that constantly exceeds the absolute threshold must exceed its own 90th percentile by this factor.
constexpr double kHabit = 3;

constexpr std::uint32_t kFewestValues = 16;  // needed for a comparison with the past

// A starting program must cost this many times the minimum: 800 MB in small pages, more than most compilers touch.
constexpr double kStartFactor = 100;
constexpr double kResidentStartFactor = 12.5;                 // of another minimum: the same 800 MB
constexpr Nanoseconds kStartBurst = std::chrono::seconds(8);  // at most

SpikeRule ruleOf(double absolute, std::uint64_t least, Nanoseconds length, double startFactor = kStartFactor) {
  const double felt = static_cast<double>(std::max<std::uint64_t>(least, 1));
  const double start = felt * startFactor;
  return {absolute, felt / inSeconds(std::max(kBurst, length)), felt, start / inSeconds(std::max(kStartBurst, length)),
          start};
}

}  // namespace

double SpikeRule::enter(const SpikeOptions& options, Baseline& past) const {
  if (past.count() < kFewestValues) return absolute;
  const double usual = past.median();
  const double high = past.high();
  // Rates are skewed: their noise is uniform on a scale that is linear far below the floor and logarithmic above.
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
    case ProcessMetric::ZeroingTime:  // of the threads that zero in the background
      return ruleOf(options.faultNsPerSecond, options.leastZeroThreadNs, length);
    case ProcessMetric::TeardownTime:
      return ruleOf(options.teardownNsPerSecond, options.leastTeardownNs, length);
    case ProcessMetric::ResidentBytes:
      return ruleOf(options.zeroedPerSecond, options.leastResident, length, kResidentStartFactor);
    default:
      return ruleOf(options.minorPerSecond, options.leastFaults, length);
  }
}

}  // namespace faultline

#include "core/spikes/rule.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

// A process that constantly exceeds the absolute threshold must exceed its own 90th percentile by this factor.
constexpr double kHabit = 3;

constexpr std::uint32_t kFewestValues = 16;  // needed for a comparison with the past

// A starting program must cost this many times the minimum within a second, which a person feels: 64 MB, 100 ms.
constexpr double kStartFactor = 8;
constexpr double kStartTimeFactor = 5;
constexpr double kStartResidentFactor = 2;  // 128 MiB: half of it may be files in memory
constexpr double kStartMajorFactor = 20;    // 1000 reads, 0.1 ms each
constexpr Nanoseconds kStartBurst = std::chrono::seconds(1);

SpikeRule ruleOf(double absolute, std::uint64_t least, Nanoseconds length, double startFactor) {
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
      return ruleOf(options.majorPerSecond, options.leastMajorFaults, length, kStartMajorFactor);
    case ProcessMetric::ZeroedBytes:
      return ruleOf(options.zeroedPerSecond, options.leastZeroed, length, kStartFactor);
    case ProcessMetric::FaultTime:
      return ruleOf(options.faultNsPerSecond, options.leastFaultNs, length, kStartTimeFactor);
    case ProcessMetric::ZeroingTime:  // of the threads that zero in the background
      return ruleOf(options.faultNsPerSecond, options.leastZeroThreadNs, length, kStartTimeFactor);
    case ProcessMetric::TeardownTime:
      return ruleOf(options.teardownNsPerSecond, options.leastTeardownNs, length, kStartTimeFactor);
    case ProcessMetric::ResidentBytes:
      return ruleOf(options.zeroedPerSecond, options.leastResident, length, kStartResidentFactor);
    default:
      return ruleOf(options.minorPerSecond, options.leastFaults, length, kStartFactor);
  }
}

}  // namespace faultline

#include "core/history/zeroing_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace faultline {
namespace {

constexpr double kKib = 1024;
constexpr std::uint64_t kLargePerFault = std::uint64_t{2} << 20U;

// At least, in ns: the share of large pages among the faults, of the time that these were on a processor. A fault for a
// small page takes no longer, and one for a large page does little else than clear it, also where the host of a virtual
// machine backs the memory only then, of which the cost does not tell.
double largeFaultTime(const ProcessValues& values, std::uint64_t large) {
  const auto time = [&](ProcessMetric metric) { return static_cast<double>(values.get(metric).value_or(0)); };
  const std::uint64_t faults = values.get(ProcessMetric::TimedFaults).value_or(0);
  if (faults == 0) return 0;
  const double other = time(ProcessMetric::FaultTimeInReclaim) + time(ProcessMetric::FaultTimeInCompaction);
  const double share = static_cast<double>(std::min(large / kLargePerFault, faults)) / static_cast<double>(faults);
  return share * std::max(time(ProcessMetric::FaultTimeOnProcessor) - other, 0.0);
}

}  // namespace

std::optional<ZeroingCost> zeroingCost(const Hello& hello, const Snapshot& current) {
  const auto small = current.system.get(SystemMetric::SmallZeroingCost);
  const auto large = current.system.get(SystemMetric::LargeZeroingCost);
  if (!small || !large) return hello.zeroingCost;
  return ZeroingCost{static_cast<double>(*small) / 1000, static_cast<double>(*large) / 1000};
}

void estimateZeroing(const ZeroingCost& cost, ProcessValues& values) {
  const auto all = values.get(ProcessMetric::ZeroedBytes);
  if (!all) return;
  const std::uint64_t large = std::min(values.get(ProcessMetric::ZeroedLargeBytes).value_or(0), *all);
  const double ns = static_cast<double>(*all - large) / kKib * cost.smallNsPerKib +
                    std::max(static_cast<double>(large) / kKib * cost.largeNsPerKib, largeFaultTime(values, large));
  values.set(ProcessMetric::ZeroingTime, static_cast<std::uint64_t>(std::llround(ns)));
}

void limitZeroing(ProcessValues& values) {
  constexpr std::uint64_t kSmallPerFault = std::uint64_t{8} << 10U;  // a page, and its share of page tables
  const auto time = values.get(ProcessMetric::ZeroingTime);
  const auto onProcessor = values.get(ProcessMetric::FaultTimeOnProcessor);
  const auto most = onProcessor ? onProcessor : values.get(ProcessMetric::FaultTime);
  const auto faults = values.get(ProcessMetric::TimedFaults);
  if (!time || !most || !faults || *time <= *most) return;
  const std::uint64_t all = values.get(ProcessMetric::ZeroedBytes).value_or(0);
  const std::uint64_t large = std::min(values.get(ProcessMetric::ZeroedLargeBytes).value_or(0), all);
  const bool asked = all - large <= *faults * kSmallPerFault && large <= *faults * kLargePerFault;
  if (asked) values.set(ProcessMetric::ZeroingTime, *most);
}

}  // namespace faultline

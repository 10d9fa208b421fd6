#include "core/history/background_zeroing.h"

namespace faultline {
namespace {

constexpr Nanoseconds kRecent = std::chrono::minutes(1);
constexpr std::size_t kFine = 1000;

// A counter's difference over all of the buckets. `interval`: before a bucket that does not follow another.
double difference(const std::vector<Bucket>& rates, Nanoseconds interval) {
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const bool follows = i > 0 && !rates[i].gapBefore;
    const Nanoseconds span =
        rates[i].end - (follows ? rates[i - 1].end : rates[i].start) + (follows ? Nanoseconds(0) : interval);
    sum += double{rates[i].mean} * std::chrono::duration<double>(span).count();
  }
  return sum;
}

}  // namespace

std::optional<double> timeOfCycles(const Moment& now, SystemMetric cycles) {
  const auto rate = now.perSecond(now.systemDeltas.get(cycles));
  const auto perSecond = now.system.get(SystemMetric::CyclesPerSecond);
  if (!rate || !perSecond || *perSecond == 0) return std::nullopt;
  return *rate * 1e9 / static_cast<double>(*perSecond);
}

std::optional<double> zeroThreadTime(const Moment& now) {
  if (const auto counted = timeOfCycles(now, SystemMetric::ZeroThreadCycles)) return counted;
  return now.perSecond(now.systemDeltas.get(SystemMetric::ZeroThreadTime));
}

std::optional<double> askedForZeroed(const Moment& now, const Hello& hello) {
  const auto faults = now.perSecond(now.systemDeltas.get(SystemMetric::DemandZeroFaults));
  return faults ? std::optional(*faults * static_cast<double>(hello.machine.pageBytes)) : std::nullopt;
}

std::optional<double> cyclesPerZeroedPage(const History& history, const Hello& hello) {
  const auto newest = history.newest();
  if (!newest || hello.machine.pageBytes == 0) return std::nullopt;
  const auto recent = [&](SystemMetric metric) {
    return history.machine(metric, {newest->sinceEpoch - kRecent}, *newest, kFine);
  };
  const auto list = recent(SystemMetric::ZeroedListBytes);
  const auto asked = recent(SystemMetric::DemandZeroFaults);
  const double cycles = difference(recent(SystemMetric::ZeroThreadCycles), hello.interval);
  if (list.empty() || asked.empty() || cycles <= 0) return std::nullopt;
  const double grown =
      (double{list.back().mean} - double{list.front().mean}) / static_cast<double>(hello.machine.pageBytes);
  const double pages = difference(asked, hello.interval) + grown;
  return pages >= 1 ? std::optional(cycles / pages) : std::nullopt;
}

}  // namespace faultline

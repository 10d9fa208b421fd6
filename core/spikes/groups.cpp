#include "core/spikes/groups.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr double kAlike = 4;  // maximum ratio between the weights of spikes of one habit
constexpr double kMore = 2;   // a spike this many times heavier than its predecessors is news
constexpr Nanoseconds kTogether = std::chrono::milliseconds(500);
constexpr Nanoseconds kHabitLasts = std::chrono::seconds(60);

bool sameProgram(const Spike& one, const Spike& other) {
  return one.of == other.of && one.name == other.name && (one.key == other.key || one.parent == other.parent);
}

// Running mean of the weights on a log scale.
struct Habit {
  double sum = 0;
  std::size_t count = 0;

  void take(double weight) {
    sum += std::log(weight);
    ++count;
  }
  [[nodiscard]] bool fits(double weight) const {
    return std::abs(std::log(weight) - sum / static_cast<double>(count)) <= std::log(kAlike);
  }
};

}  // namespace

const Spike& SpikeGroup::typical() const {
  std::vector<const Spike*> sorted = spikes;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle, {}, [](const Spike* spike) { return spikeWeight(*spike); });
  return **middle;
}

std::vector<Nanoseconds> SpikeGroup::pauses() const {
  std::vector<MonotonicTime> starts;
  for (const Spike* spike : spikes) starts.push_back(spike->start);
  std::ranges::sort(starts);  // a burst may be told later than one that began after it
  std::vector<Nanoseconds> out;
  for (std::size_t i = 1; i < starts.size(); ++i)
    if (const Nanoseconds pause = starts[i] - starts[i - 1]; pause > kTogether) out.push_back(pause);
  std::ranges::sort(out);
  return out;
}

std::optional<Nanoseconds> rhythm(const std::vector<Nanoseconds>& pauses) {
  if (pauses.size() < 2) return std::nullopt;
  const Nanoseconds usual = *median(pauses);
  const auto onTime =
      std::ranges::count_if(pauses, [&](Nanoseconds p) { return std::chrono::abs(p - usual) * 5 <= usual; });
  return static_cast<std::size_t>(onTime) * 4 >= pauses.size() * 3 ? std::optional(usual) : std::nullopt;
}

std::size_t SpikeGroup::processes() const {
  std::set<ProcessKey> keys;
  for (const Spike* spike : spikes) keys.insert(spike->key);
  return keys.size();
}

double spikeWeight(const Spike& spike) {
  const SpikeOptions felt;
  const bool major = spike.metric == ProcessMetric::MajorFaults;
  const std::uint64_t least = major ? felt.leastMajorFaults : felt.leastFaults;
  double weight = static_cast<double>(std::max<std::uint64_t>(spike.faults, 1)) / static_cast<double>(least);
  const auto take = [&](ProcessMetric metric, std::uint64_t unit) {
    weight = std::max(weight, static_cast<double>(spike.cost.get(metric).value_or(0)) / static_cast<double>(unit));
  };
  take(ProcessMetric::ZeroedBytes, felt.leastZeroed);
  take(ProcessMetric::FaultTime, felt.leastFaultNs);
  take(ProcessMetric::ZeroingTime, felt.leastZeroThreadNs);
  take(ProcessMetric::TeardownTime, felt.leastTeardownNs);
  take(ProcessMetric::ResidentBytes, felt.leastResident);
  return weight;
}

std::vector<SpikeGroup> groupSpikes(const std::deque<Spike>& spikes) {
  std::vector<const Spike*> all;
  for (const Spike& spike : spikes) all.push_back(&spike);
  return groupSpikes(all);
}

std::vector<SpikeGroup> groupSpikes(const std::vector<const Spike*>& spikes) {
  std::vector<SpikeGroup> groups;
  std::vector<Habit> habits;
  for (const Spike* spike : spikes) {
    const double weight = spikeWeight(*spike);
    std::size_t i = groups.size();
    while (i > 0 && !(sameProgram(groups[i - 1].first(), *spike) && habits[i - 1].fits(weight))) --i;
    if (i == 0) {
      i = groups.size() + 1;
      groups.emplace_back();
      habits.emplace_back();
    }
    groups[i - 1].spikes.push_back(spike);
    habits[i - 1].take(weight);
  }
  return groups;
}

bool repeatsHabit(const Spike& spike, const std::deque<Spike>& before) {
  const double weight = spikeWeight(spike);
  return std::ranges::any_of(before, [&](const Spike& other) {
    return other.id < spike.id && other.key == spike.key && other.of == spike.of &&
           spike.start - other.end <= kHabitLasts && weight <= kMore * spikeWeight(other);
  });
}

}  // namespace faultline

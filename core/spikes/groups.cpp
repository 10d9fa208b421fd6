#include "core/spikes/groups.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr double kAlike = 4;  // maximum ratio between the weights of spikes of one habit
constexpr double kMore = 2;   // a spike this many times heavier than its predecessors is news
constexpr Nanoseconds kHabitLasts = std::chrono::seconds(60);

std::vector<Nanoseconds> pauses(const SpikeGroup& group) {
  std::vector<Nanoseconds> out;
  for (std::size_t i = 1; i < group.spikes.size(); ++i)
    out.push_back(group.spikes[i]->start - group.spikes[i - 1]->start);
  return out;
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

Nanoseconds SpikeGroup::every() const {
  return median(pauses(*this)).value_or(Nanoseconds(0));
}

bool SpikeGroup::regular() const {
  const Nanoseconds usual = every();
  const std::vector<Nanoseconds> all = pauses(*this);
  const auto near = std::ranges::count_if(all, [&](Nanoseconds p) { return std::chrono::abs(p - usual) * 5 <= usual; });
  return static_cast<std::size_t>(near) * 4 >= all.size() * 3;
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
    while (i > 0 && !(groups[i - 1].first().name == spike->name && habits[i - 1].fits(weight))) --i;
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

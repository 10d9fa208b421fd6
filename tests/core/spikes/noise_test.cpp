// Input without spikes: hours of steady noise, and builds.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/spikes/detector.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t kProcesses = 100;

// Builds moments directly, which is fast enough for hours.
struct Crowd {
  explicit Crowd(std::uint32_t seed, Nanoseconds every = 500ms) : random(seed) {
    moment.interval = every;
    moment.time = {1h};
    (void)detector.add(moment);
    moment.gap = Gap::None;
    for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) moment.rows.emplace_back().key = {pid, 0};
  }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  void sweep() {
    moment.time = moment.time + moment.interval;
    for (const Spike& spike : detector.add(moment)) ids.insert(spike.id);
  }
  // `faults(process)` is the process's mean rate per second in this sample.
  template <class Faults>
  std::size_t spikesIn(Nanoseconds span, Faults faults) {
    const double seconds = std::chrono::duration<double>(moment.interval).count();
    for (auto sweeps = span / moment.interval; sweeps > 0; --sweeps) {
      for (ProcessRow& row : moment.rows) {
        const double mean = faults(row.key.pid) * seconds;
        const auto count = mean > 0 ? std::poisson_distribution<std::uint64_t>(mean)(random) : 0;
        row.deltas.set(ProcessMetric::MinorFaults, count);
        row.deltas.set(ProcessMetric::MajorFaults, uniform(0, 1) < 0.01 ? 1 : 0);
      }
      sweep();
    }
    return ids.size();
  }

  std::mt19937 random;
  Moment moment;
  SpikeDetector detector;
  std::set<std::uint64_t> ids;
};

// Rates from 1/s to 30 000/s, most of them low.
double usual(std::uint32_t pid) {
  return std::pow(30'000.0, (pid - 1.0) / (kProcesses - 1));
}

constexpr std::uint32_t kHours = 4;

// Spikes in all hours, each with another seed.
template <class Faults>
std::size_t flags(Faults faults) {
  std::size_t sum = 0;
  for (std::uint32_t seed = 1; seed <= kHours; ++seed) {
    Crowd crowd(seed);
    sum += crowd.spikesIn(1h, [&](std::uint32_t pid) { return faults(crowd, pid); });
  }
  return sum;
}

// Rate of a compiler by its age in seconds: headers first, then bursts for templates and code.
double compiler(Crowd& crowd, double age, double length) {
  if (age < 1.5) return crowd.uniform(10'000, 40'000);
  if (age > length - 1) return crowd.uniform(100, 30'000);
  return std::lognormal_distribution<double>(std::log(3000.0), 0.9)(crowd.random);
}

}  // namespace

TEST_CASE("independent faults at any steady rate raise less than one spike an hour in a hundred processes", "[slow]") {
  CHECK(flags([](Crowd&, std::uint32_t pid) { return usual(pid); }) < kHours);
}

TEST_CASE("skewed noise at any steady rate raises less than one spike an hour in a hundred processes", "[slow]") {
  std::lognormal_distribution<double> noise(0, 0.25);
  CHECK(flags([&](Crowd& crowd, std::uint32_t pid) { return usual(pid) * noise(crowd.random); }) < kHours);
}

TEST_CASE("heavy-tailed noise raises less than one spike an hour in a hundred processes", "[slow]") {
  std::lognormal_distribution<double> noise(0, 0.5);
  CHECK(flags([&](Crowd& crowd, std::uint32_t pid) { return std::min(usual(pid), 5000.0) * noise(crowd.random); }) <
        kHours);
}

TEST_CASE("small bursts in idle processes raise less than one spike an hour in a hundred processes", "[slow]") {
  CHECK(flags([](Crowd& crowd, std::uint32_t) {
          return crowd.uniform(0, 1) < 0.01 ? crowd.uniform(0, 1900) : crowd.uniform(0, 20);
        }) < kHours);
}

TEST_CASE("a build with hundreds of compilers raises few spikes") {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    Crowd crowd(seed);
    crowd.moment.rows.clear();
    for (int i = 0; i < 60; ++i) crowd.sweep();
    std::lognormal_distribution<double> length(std::log(6.0), 0.8);  // a few seconds each, some much longer
    std::map<std::uint32_t, std::pair<double, double>> jobs;         // by pid: age, length
    for (std::uint32_t pid = 1; pid < 400;) {
      for (auto& [key, job] : jobs) job.first += 0.5;
      std::erase_if(jobs, [](const auto& job) { return job.second.first > job.second.second; });
      while (jobs.size() < 16) jobs[pid++] = {0, length(crowd.random)};
      crowd.moment.rows.clear();
      for (const auto& [key, job] : jobs) {
        ProcessRow& row = crowd.moment.rows.emplace_back();
        row.key = {key, 0};
        row.born = job.first == 0;
        row.deltas.set(ProcessMetric::MinorFaults,
                       static_cast<std::uint64_t>(compiler(crowd, job.first, job.second) / 2));
      }
      crowd.sweep();
    }
    CHECK(crowd.ids.size() <= 10);  // among the first, before their cost is usual
  }
}

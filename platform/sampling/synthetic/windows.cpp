#include "platform/sampling/synthetic/windows.h"

#include <algorithm>
#include <array>

#include "platform/sampling/synthetic/shapes.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kWindowsPage = 4096;
constexpr Nanoseconds kStory = 20s;
constexpr Nanoseconds kTaking = 14s;
constexpr Nanoseconds kFreeing = 15s;  // begins
constexpr Nanoseconds kZeroing = 16s;  // begins
constexpr std::uint64_t kPagesPerWake = 64;

// kStoryPages within a second, which begins at `begin` of each story; 0 at tick 0.
std::uint64_t withinASecond(Nanoseconds begin, Nanoseconds t) {
  return burstCount(kStoryPages, 1s, kStory, t + kStory - begin) - kStoryPages;
}

// Calls `visit` with each metric of processes that Windows lacks.
template <class Visit>
void eachNotOfWindows(const Visit& visit) {
  using enum ProcessMetric;
  std::ranges::for_each(kFaultTimes, visit);
  std::ranges::for_each(
      std::array{ZeroedBytes, ZeroedLargeBytes, SampledZeroingTime, TimedFaults, TimedMajorFaults, FreedBytes,
                 DiscardedBytes, TeardownTime, ReclaimedBytes, Mappings, LargeZeroingTime},
      visit);
}

// The game of the story: it takes the zeroed pages and frees them.
void addStory(Nanoseconds t, Snapshot& snapshot) {
  const auto game = std::ranges::find(snapshot.processes, "game", &ProcessSample::name);
  if (game == snapshot.processes.end()) return;
  const std::uint64_t bytes = pagesOfGame(t) * kWindowsPage;
  for (const ProcessMetric metric :
       {ProcessMetric::ResidentBytes, ProcessMetric::CommitBytes, ProcessMetric::TouchedPrivateBytes})
    game->values.set(metric, game->values.get(metric).value_or(0) + bytes);
  snapshot.system.set(SystemMetric::CommittedBytes,
                      snapshot.system.get(SystemMetric::CommittedBytes).value_or(0) + bytes);
}

}  // namespace

std::uint64_t pagesZeroedBy(Nanoseconds t) {
  return withinASecond(kZeroing, t);
}
std::uint64_t zeroedListPages(Nanoseconds t) {
  return kStoryPages + pagesZeroedBy(t) - burstCount(kStoryPages, kTaking, kStory, t);
}
std::uint64_t freeListPages(Nanoseconds t) {
  return withinASecond(kFreeing, t) - pagesZeroedBy(t);
}

std::uint64_t pagesOfGame(Nanoseconds t) {
  return burstCount(kStoryPages, kTaking, kStory, t) - withinASecond(kFreeing, t);
}

void turnIntoWindows(Nanoseconds t, Snapshot& snapshot) {
  addStory(t, snapshot);
  for (auto* const samples : {&snapshot.processes, &snapshot.exited})
    for (ProcessSample& sample : *samples) eachNotOfWindows([&](ProcessMetric metric) { sample.values.clear(metric); });
  snapshot.faultDurations.reset();
  SystemValues& system = snapshot.system;
  for (const auto& row : kSystemFields)
    if (row.systems == Systems::Linux) system.clear(row.metric);
  const std::uint64_t faults = system.get(SystemMetric::Faults).value_or(0);
  const std::uint64_t zeroed = pagesZeroedBy(t);
  system.set(SystemMetric::DemandZeroFaults, faults - faults / 8);
  system.set(SystemMetric::TransitionFaults, faults / 16);
  system.set(SystemMetric::CopyOnWriteFaults, faults / 32);
  system.set(SystemMetric::ZeroThreadCycles, zeroed * kCyclesPerZeroedPage);
  system.set(SystemMetric::SystemProcessCycles,
             zeroed * kCyclesPerZeroedPage + static_cast<std::uint64_t>(t / 1us) * (kOtherSystemCycles / 1'000'000));
  system.set(SystemMetric::CyclesPerSecond, kSyntheticCyclesPerSecond);
  system.set(SystemMetric::ZeroThreadTime, zeroed * kNsPerZeroedPage / kNtTickNs * kNtTickNs);
  system.set(SystemMetric::ZeroThreadSwitches, zeroed / kPagesPerWake);
  system.set(SystemMetric::ZeroThreads, 2);
  system.set(SystemMetric::ZeroedListBytes, zeroedListPages(t) * kWindowsPage);
  system.set(SystemMetric::FreeListBytes, freeListPages(t) * kWindowsPage);
  system.set(SystemMetric::FreeBytes, (zeroedListPages(t) + freeListPages(t)) * kWindowsPage);
}

void turnIntoWindows(Hello& hello) {
  hello.machine.system = "Synthetic machine, as Windows";
  eachNotOfWindows([&](ProcessMetric metric) {
    const bool zeroing = field(metric).line.plot == Plot::Zeroing || metric == ProcessMetric::SampledZeroingTime;
    hello.quality(metric) = unavailable(zeroing ? "Windows does not report for which process it zeroes pages"
                                                : "Windows does not measure the time in page faults");
  });
  hello.quality(ProcessMetric::ZeroingTime) = hello.quality(ProcessMetric::ZeroedBytes);
  hello.quality(ProcessMetric::ZeroedLargeBytes) = hello.quality(ProcessMetric::ZeroedBytes);
  hello.zeroingCost.reset();
  for (const auto& row : kSystemFields)
    if (row.systems == Systems::Windows) hello.quality(row.metric) = exact("synthetic, by a formula");
  hello.quality(SystemMetric::ZeroThreadTime) = estimated("synthetic, by a formula, in ticks of 15.6 ms");
  hello.quality(SystemMetric::CyclesPerSecond) = estimated("synthetic, the number of the formula");
  markMissing(Systems::Windows, hello);
}

}  // namespace faultline

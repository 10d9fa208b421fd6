// The cost of 249 samples per second: in interrupted programs, and in the collector that reads the samples.
#include <cstdio>
#include <ctime>
#include <vector>

#include "core/base/median.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/linux/facts/zeroing_cost.h"
#include "platform/sampling/linux/perf/clear_page_sampling.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds kFast = 100us;  // instead of 4 ms: enough interruptions to stand out from noise
constexpr int kRounds = 40;
constexpr Nanoseconds kRound = 50ms;

double cpuMicroseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

// The time that an idle loop was interrupted, context switches excluded.
Nanoseconds interrupted(const Clock& clock) {
  Nanoseconds gaps{0};
  const MonotonicTime begin = clock.now();
  for (MonotonicTime last = begin; last - begin < kRound;) {
    const MonotonicTime now = clock.now();
    if (now - last > 300ns && now - last < 50us) gaps += now - last;
    last = now;
  }
  return gaps;
}

// Alternates with and without sampling, because the load of the machine changes.
void interruptions(const Clock& clock) {
  auto sampling = ClearPageSampling::open(kFast);
  if (!sampling) return;
  std::vector<double> costs;
  for (int round = 0; round < kRounds; ++round) {
    sampling->attend(true);
    const Nanoseconds with = interrupted(clock);
    sampling->attend(false);
    const Nanoseconds without = interrupted(clock);
    costs.push_back(static_cast<double>((with - without).count()) / (kRound / kFast));
  }
  const double each = *median(costs);
  std::printf("sampling: %.0f ns per interruption; 249 per second take %.3f %% of each busy processor\n", each,
              each * 249 / 1e7);
}

void reading() {
  auto sampling = ClearPageSampling::open();
  if (!sampling) {
    std::printf("sampling: not measured. %s\n", sampling.error().why.c_str());
    return;
  }
  Snapshot snapshot;
  for (std::uint32_t pid = 1; pid <= 1000; ++pid) snapshot.processes.push_back({{pid, 1}, "process", {}});
  std::vector<double> costs;
  for (int sweep = 0; sweep < 30; ++sweep) {
    const timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
    const double begin = cpuMicroseconds();
    sampling->drain();
    sampling->addTo(snapshot);
    costs.push_back(cpuMicroseconds() - begin);
  }
  std::printf("sampling: reading takes %.0f us of each sweep of 1000 processes\n", *median(costs));
}

void opening() {
  double begin = cpuMicroseconds();
  (void)ClearPageSampling::open();
  std::printf("sampling: opening takes %.0f ms once, nearly all of it reading /proc/kallsyms\n",
              (cpuMicroseconds() - begin) / 1e3);
  begin = cpuMicroseconds();
  ClearingCost clearing;
  (void)clearing.measure(systemClock().now());
  const auto cost = clearing.cost();
  const double taken = (cpuMicroseconds() - begin) / 1e3;
  if (cost)
    std::printf("zeroing cost: %.0f ns for 4 KiB in small pages, %.0f in large ones; measuring it takes %.1f ms once\n",
                4 * cost->smallNsPerKib, 4 * cost->largeNsPerKib, taken);
}

}  // namespace

int main() {
  interruptions(systemClock());
  reading();
  opening();
}

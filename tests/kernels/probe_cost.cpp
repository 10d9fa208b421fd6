#include "tests/kernels/probe_cost.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "tests/kernels/collector_stream.h"
#include "tests/support/workload.h"

namespace faultline::test {
namespace {

constexpr std::size_t kPages = 5000;
constexpr std::size_t kPageBytes = 4096;
constexpr int kRounds = 9;

// With ftrace off the kernel runs no program at a function: the collector falls back to the perf event.
void switchFtrace(bool on) {
  std::ofstream("/proc/sys/kernel/ftrace_enabled") << (on ? 1 : 0);
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

double nsPerFault() {
  const Workload child([](int) {
    void* const memory = mmap(nullptr, kPages * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, kPages * kPageBytes, MADV_NOHUGEPAGE);
    for (std::size_t page = 0; page < kPages; ++page) static_cast<volatile char*>(memory)[page * kPageBytes] = 1;
    munmap(memory, kPages * kPageBytes);
  });
  const std::int64_t begin = now();
  child.next();
  return static_cast<double>(now() - begin) / static_cast<double>(kPages);
}

// By the collector that begins now; nothing if it does not time faults in that way.
std::optional<double> nsTimedBy(const Setting& setting, bool function) {
  switchFtrace(function);
  CollectorStream stream({setting.collector, "sweep", "--interval", "1s"});
  const auto hello = stream.next<Hello>();
  const bool swept = hello && stream.next<const Snapshot*>();
  const bool byFunction = swept && says(hello->quality(ProcessMetric::FaultTime).how, "handle_mm_fault");
  const bool timed = swept && hello->quality(ProcessMetric::FaultTime).grade != Grade::Unavailable;
  const auto ns = timed && byFunction == function ? std::optional(nsPerFault()) : std::nullopt;
  switchFtrace(true);
  return ns;
}

}  // namespace

void probeCost(const Setting& setting) {
  std::vector<double> bare;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const auto function = nsTimedBy(setting, true);
    const auto event = nsTimedBy(setting, false);
    bare.push_back(nsPerFault());
    if (!function || !event)
      return tell("probe cost", "WRONG", "a collector does not time faults in the way asked for");
    std::printf("@cost a fault %.0f ns; timed by its function %.0f, by its perf event %.0f\n", bare.back(), *function,
                *event);
    ratios.push_back((*function - bare.back()) / (*event - bare.back()));
  }
  std::ranges::sort(ratios);
  std::printf("@cost the function adds %.2f (%.2f to %.2f) of what the perf event adds, in %d rounds\n",
              ratios[kRounds / 2], ratios.front(), ratios.back(), kRounds);
}

}  // namespace faultline::test

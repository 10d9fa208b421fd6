// The cost of a sweep of Windows' list of processes, at 1000 and 4000 processes of 12 threads: the time of the real
// sampler on a scripted kernel, which copies the list as Windows does, to that of such a copy alone. Medians of pairs.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/base/median.h"
#include "platform/sampling/nt/sampler.h"
#include "tests/support/fake_clock.h"
#include "tests/support/scripted_windows.h"

namespace faultline {
namespace {

constexpr int kPairs = 201;
constexpr std::uint32_t kThreads = 12;

void addProcesses(test::ScriptedWindows& windows, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    test::NtProcessScript process{.pid = 8000 + 4 * i, .parent = 4, .name = u"some-process.exe", .createTime = 9 + i};
    process.faults = 1000 + i;
    process.privateBytes = 4096 * (1000 + std::uint64_t{i});
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      process.threads.push_back({.id = 1'000'000 + (i * kThreads + thread) * 4, .createTime = 10});
    windows.processes.push_back(std::move(process));
  }
}

template <class Work>
double microseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

bool measure(std::uint32_t count) {
  test::FakeClock clock;
  test::ScriptedWindows windows;
  test::boot(windows, 2);
  windows.memoryLists = test::ntMemoryLists(500, 20);
  addProcesses(windows, count);
  NtHost host;
  host.machine.pageBytes = 4096;
  host.ownPid = 4096;
  auto sampler = makeNtSampler(windows.functions(), host, clock);
  Snapshot snapshot;
  if (!sampler || !(*sampler)->sample(snapshot)) return false;
  windows.freeze();
  const test::NtBytes list = test::ntProcessList(windows.processes, 0);
  test::NtBytes copy(list.size());
  std::vector<double> sweeps;
  std::vector<double> copies;
  std::vector<double> ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    sweeps.push_back(microseconds([&] { static_cast<void>((*sampler)->sample(snapshot)); }));
    copies.push_back(microseconds([&] { std::ranges::copy(list, copy.begin()); }));
    ratios.push_back(sweeps.back() / copies.back());
  }
  std::printf("%4u processes of Windows, %4.1f MB: a sweep %6.0f us, copying the bytes %6.0f us: ratio %.1f\n", count,
              static_cast<double>(list.size()) / 1e6, *median(sweeps), *median(copies), *median(ratios));
  return snapshot.processes.size() >= count;
}

}  // namespace
}  // namespace faultline

int main() {
  const bool small = faultline::measure(1000);
  return small && faultline::measure(4000) ? 0 : 1;
}

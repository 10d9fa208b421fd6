#include "platform/sampling/linux/facts/fault_cost.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/units.h"
#include "platform/system/posix/clock.h"

namespace faultline {
namespace {

constexpr std::size_t kRounds = 7;
constexpr std::size_t kPages = 512;

std::optional<double> touchOnce(std::size_t pageBytes) {
  const std::size_t bytes = kPages * pageBytes;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  const Nanoseconds before = readClock(CLOCK_THREAD_CPUTIME_ID);  // what others run meanwhile is no part of a fault
  for (std::size_t page = 0; page < kPages; ++page)
    *(static_cast<volatile std::byte*>(memory) + page * pageBytes) = std::byte{1};
  const Nanoseconds took = readClock(CLOCK_THREAD_CPUTIME_ID) - before;
  munmap(memory, bytes);
  return static_cast<double>(took.count()) / kPages;
}

}  // namespace

// The median, because other programs that use the same caches only make rounds longer.
std::optional<double> measureFaultCost() {
  std::array<double, kRounds> costs{};
  for (double& cost : costs) {
    const auto once = touchOnce(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    if (!once) return std::nullopt;
    cost = *once;
  }
  std::ranges::nth_element(costs, costs.begin() + kRounds / 2);
  return costs[kRounds / 2];
}

}  // namespace faultline

#include "platform/sampling/linux/facts/zeroing_cost.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/parse/machine_load.h"
#include "platform/sampling/linux/facts/past_caches.h"
#include "platform/system/posix/clock.h"

namespace faultline {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20U;     // larger huge pages count as small pages
constexpr std::size_t kChunk = std::size_t{128} << 10U;  // fits into a second-level cache
constexpr int kRepeats = 2;
constexpr double kInterrupted = 1.5;  // ratio of wall time to processor time

// Untouched memory that begins at a huge page's boundary.
class FreshMemory {
 public:
  FreshMemory(std::size_t bytes, int advice) : m_mapped(bytes + kHuge) {
    void* const memory =
        mmap(nullptr, m_mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    m_memory = static_cast<char*>(memory);
    m_begin = m_memory + (kHuge - reinterpret_cast<std::uintptr_t>(memory) % kHuge) % kHuge;
    madvise(m_begin, bytes, advice);  // a kernel without huge pages refuses, and its pages are small anyway
  }
  ~FreshMemory() {
    if (m_memory != nullptr) munmap(m_memory, m_mapped);
  }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;

  [[nodiscard]] char* begin() const { return m_begin; }  // nullptr: mmap() failed

 private:
  std::size_t m_mapped;
  char* m_memory = nullptr;
  char* m_begin = nullptr;
};

void touch(char* memory, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t offset = 0; offset < bytes; offset += page) *static_cast<volatile char*>(memory + offset) = 1;
}

template <class Work>
double nanoseconds(Work work) {
  const Nanoseconds begin = readClock(CLOCK_THREAD_CPUTIME_ID);
  work();
  return static_cast<double>((readClock(CLOCK_THREAD_CPUTIME_ID) - begin).count());
}

double perKib(double time, std::size_t bytes) {
  return time * 1024 / static_cast<double>(bytes);
}

long minorFaults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

// First touch after the memory was given back: the kernel hands out the last freed pages first, so these are the same.
double touchAgain(char* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
  return nanoseconds([&] { touch(memory, bytes); });
}

double touchCold(char* memory, std::size_t bytes) {
  writePastCaches(memory, bytes);
  return touchAgain(memory, bytes);
}

template <class Measure>
double least(Measure measure) {
  double time = measure();
  for (int i = 1; i < kRepeats; ++i) time = std::min(time, measure());
  return time;
}

// Absent: the kernel gave small pages.
std::optional<double> measureLarge() {
  const FreshMemory memory(kHuge, MADV_HUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  const long before = minorFaults();
  touch(memory.begin(), 1);
  *static_cast<volatile char*>(memory.begin() + kHuge - 1) = 1;
  if (minorFaults() - before != 1) return std::nullopt;
  const double time = least([&] { return touchCold(memory.begin(), kHuge); });
  const bool large = minorFaults() - before == 1 + kRepeats;
  return large ? std::optional(perKib(time, kHuge)) : std::nullopt;
}

// The difference between a fresh page and a page that was freed a moment ago is the extra cost of cold memory, and of
// the allocator's own cold lines.
std::optional<ClearingRound> measureRound() {
  const auto large = measureLarge();
  const FreshMemory memory(kChunk, MADV_NOHUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  touch(memory.begin(), kChunk);
  const double cached =
      perKib(least([&] { return nanoseconds([&] { std::memset(memory.begin(), 0, kChunk); }); }), kChunk);
  if (large) return ClearingRound{.cold = *large, .cached = cached};
  const double fresh = least([&] { return touchCold(memory.begin(), kChunk); });
  const double again = least([&] { return touchAgain(memory.begin(), kChunk); });
  return ClearingRound{.cold = cached + std::max(perKib(fresh - again, kChunk), 0.0), .cached = cached};
}

// 0 if the kernel does not say. Only by system calls that a confined collector may make.
double otherRunnableThreads(int loadavg) {
  std::array<char, 128> text{};
  const ssize_t count = pread(loadavg, text.data(), text.size(), 0);
  if (count <= 0) return 0;
  const auto runnable = parseRunnable({text.data(), static_cast<std::size_t>(count)});
  return static_cast<double>(std::max<std::uint64_t>(runnable.value_or(1), 1) - 1);
}

}  // namespace

ClearingCost::ClearingCost()
    : m_processors(static_cast<double>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L))),
      m_loadavg(open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {}

bool ClearingCost::measure(MonotonicTime now) {
  if (!kCanWritePastCaches) return false;
  const bool known = cost().has_value();
  while (m_rounds.due(now) && m_rounds.begin(now, otherRunnableThreads(m_loadavg.get()) / m_processors)) {
    const Nanoseconds wall = readClock(CLOCK_MONOTONIC);
    const Nanoseconds processor = readClock(CLOCK_THREAD_CPUTIME_ID);
    const auto round = measureRound();
    const auto took = static_cast<double>((readClock(CLOCK_MONOTONIC) - wall).count());
    const Nanoseconds used = readClock(CLOCK_THREAD_CPUTIME_ID) - processor;
    const bool interrupted = took > static_cast<double>(used.count()) * kInterrupted;
    m_rounds.add(now, interrupted ? std::nullopt : round, used);
  }
  return !known && cost();
}

Quality ClearingCost::quality() const {
  if (!kCanWritePastCaches)
    return unavailable("Faultline cannot empty the caches of this kind of processor, so it cannot measure clearing");
  const auto per4Kib = [](double nsPerKib) { return std::to_string(std::lround(4 * nsPerKib)); };
  std::string how =
      "Zeroed bytes times the cost of clearing memory that no cache holds. The collector measures this cost in its own "
      "processor time, less than 1 ms a minute, at its start and now and then while the machine is idle. The result is "
      "at most the time inside the faults that asked for the memory, and of large pages at least what was measured "
      "in their faults, if it was: the host of a virtual machine may back memory only then. ";
  const auto known = m_rounds.cost();
  if (!known) return estimated(how + "Absent until the machine is not busy; so far it was");
  const ClearingRound& low = known->low;
  how += "At first: " + per4Kib(low.cold) + " ns for 4 KiB, " + per4Kib(low.cached) +
         " if a cache still holds the memory; measurements differ by " +
         std::to_string(std::lround(100 * known->spread)) +
         " %. The time of a process that uses the same memory again and again may be too high, at most " +
         std::to_string(std::lround(std::ceil(low.cold / low.cached))) + " times";
  return estimated(how);
}

}  // namespace faultline

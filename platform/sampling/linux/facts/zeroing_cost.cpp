#include "platform/sampling/linux/facts/zeroing_cost.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20U;     // where huge pages are larger, they count as small ones
constexpr std::size_t kChunk = std::size_t{128} << 10U;  // fits into a second-level cache
constexpr std::size_t kChunks = 8;                       // 1 MB
constexpr std::size_t kRounds = 24;
constexpr std::size_t kFewestRounds = 8;
constexpr double kAgreement = 1.15;
constexpr double kInterrupted = 1.5;  // so much more time on the wall than on the processor
constexpr double kLeastNsPerKib = 5;  // 200 GB/s
constexpr double kMostNsPerKib = 1000;

std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Memory of its own that begins at a huge page's boundary and that nobody has touched.
class FreshMemory {
 public:
  FreshMemory(std::size_t bytes, int advice) : m_mapped(bytes + kHuge) {
    void* const memory =
        mmap(nullptr, m_mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    m_memory = static_cast<char*>(memory);
    m_begin = m_memory + (kHuge - reinterpret_cast<std::uintptr_t>(memory) % kHuge) % kHuge;
    madvise(m_begin, bytes, advice);  // refused by a kernel without huge pages, to which it is all the same
  }
  ~FreshMemory() {
    if (m_memory != nullptr) munmap(m_memory, m_mapped);
  }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;

  [[nodiscard]] char* begin() const { return m_begin; }  // nullptr: there is none

 private:
  std::size_t m_mapped;
  char* m_memory = nullptr;
  char* m_begin = nullptr;
};

void touch(char* memory, std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += pageBytes()) *static_cast<volatile char*>(memory + offset) = 1;
}

Nanoseconds read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

template <class Work>
double nanoseconds(Work work) {
  const Nanoseconds begin = read(CLOCK_THREAD_CPUTIME_ID);
  work();
  return static_cast<double>((read(CLOCK_THREAD_CPUTIME_ID) - begin).count());
}

double lowQuantile(std::vector<double>& values) {
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), low, values.end());
  return *low;
}

double perKib(double time, std::size_t bytes) {
  return time * 1024 / static_cast<double>(bytes);
}

std::optional<ClearingRound> measureSmall() {
  const FreshMemory memory(kChunks * kChunk, MADV_NOHUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  std::vector<double> fresh;
  std::vector<double> again;
  std::vector<double> cached;
  for (std::size_t i = 0; i < kChunks; ++i)
    fresh.push_back(nanoseconds([&] { touch(memory.begin() + i * kChunk, kChunk); }));
  for (std::size_t i = 0; i < kChunks; ++i) {
    madvise(memory.begin(), kChunk, MADV_DONTNEED);
    again.push_back(nanoseconds([&] { touch(memory.begin(), kChunk); }));
    cached.push_back(nanoseconds([&] { std::memset(memory.begin(), 0, kChunk); }));
  }
  return ClearingRound{perKib(lowQuantile(fresh), kChunk), perKib(lowQuantile(again), kChunk),
                       perKib(lowQuantile(cached), kChunk), std::nullopt};
}

long minorFaults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

std::optional<double> measureLarge() {
  const FreshMemory memory(kHuge, MADV_HUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  const long before = minorFaults();
  const double time = nanoseconds([&] { touch(memory.begin(), kHuge); });
  return minorFaults() - before == 1 ? std::optional(perKib(time, kHuge)) : std::nullopt;
}

double lowOf(std::span<const ClearingRound> rounds, double ClearingRound::* part) {
  std::vector<double> values;
  for (const ClearingRound& round : rounds) values.push_back(round.*part);
  return lowQuantile(values);
}

ZeroingCost lowCost(std::span<const ClearingRound> rounds) {
  const double warm = lowOf(rounds, &ClearingRound::cached);
  const double cold = lowOf(rounds, &ClearingRound::fresh) - lowOf(rounds, &ClearingRound::again);
  const double small = std::max(warm + cold, warm);
  std::vector<double> large;
  for (const ClearingRound& round : rounds) {
    if (round.large) large.push_back(*round.large);
  }
  return {.smallNsPerKib = small, .largeNsPerKib = large.empty() ? small : lowQuantile(large)};
}

bool agree(double a, double b) {
  return std::max(a, b) <= std::min(a, b) * kAgreement;
}

bool possible(double nsPerKib) {
  return nsPerKib >= kLeastNsPerKib && nsPerKib <= kMostNsPerKib;
}

}  // namespace

void ClearingCost::measureAtStart() {
  for (std::size_t i = 0; i < kRounds; ++i) measure();
}

void ClearingCost::measure() {
  const Nanoseconds wall = read(CLOCK_MONOTONIC);
  const Nanoseconds processor = read(CLOCK_THREAD_CPUTIME_ID);
  auto round = measureSmall();
  if (!round) return;
  round->large = measureLarge();
  const auto took = static_cast<double>((read(CLOCK_MONOTONIC) - wall).count());
  const auto used = static_cast<double>((read(CLOCK_THREAD_CPUTIME_ID) - processor).count());
  if (m_rounds.size() == kRounds) {
    if (took > used * kInterrupted) return;
    m_rounds.erase(m_rounds.begin());
  }
  m_rounds.push_back(*round);
}

std::optional<ZeroingCost> agreedCost(std::span<const ClearingRound> rounds) {
  if (rounds.size() < kFewestRounds) return std::nullopt;
  std::array<std::vector<ClearingRound>, 3> thirds;
  for (std::size_t i = 0; i < rounds.size(); ++i) thirds[i % 3].push_back(rounds[i]);
  const ZeroingCost all = lowCost(rounds);
  if (!possible(all.smallNsPerKib) || !possible(all.largeNsPerKib)) return std::nullopt;
  const bool agreed = std::ranges::all_of(thirds, [&](const std::vector<ClearingRound>& third) {
    const ZeroingCost one = lowCost(third);
    return agree(one.smallNsPerKib, all.smallNsPerKib) && agree(one.largeNsPerKib, all.largeNsPerKib);
  });
  return agreed ? std::optional(all) : std::nullopt;
}

Quality zeroingTimeQuality(const std::optional<ZeroingCost>& cost) {
  const auto per4Kib = [](double nsPerKib) { return std::to_string(std::lround(4 * nsPerKib)); };
  std::string how =
      "Zeroed bytes times what clearing costs on this machine, measured on the collector's own processor time at its "
      "start and every minute, and no more than the time inside the faults that asked for the memory: ";
  if (cost)
    how += "at the start " + per4Kib(cost->smallNsPerKib) + " ns for 4 KiB in small pages, " +
           per4Kib(cost->largeNsPerKib) + " in large ones";
  else how += "absent until these measurements agree, which those at the start did not";
  return estimated(how +
                   ". Memory that a processor's cache holds is cleared up to eight times faster than other memory: the "
                   "time may be too low or too high by as much");
}

}  // namespace faultline

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
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "core/parse/machine_load.h"
#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20U;     // larger huge pages count as small pages
constexpr std::size_t kLarge = 4 * kHuge;                // measured in large pages
constexpr std::size_t kChunk = std::size_t{128} << 10U;  // fits into a second-level cache
constexpr std::size_t kColdChunks = 16;                  // 2 MiB
constexpr std::size_t kCachedChunks = 8;
constexpr std::size_t kZeroingRounds = 6;
constexpr double kAgreement = 1.15;
constexpr double kInterrupted = 1.5;  // ratio of wall time to processor time
constexpr double kMostOthers = 0.75;  // per processor
constexpr double kLeastNsPerKib = 5;  // 200 GB/s
constexpr double kMostNsPerKib = 1000;

std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

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

double lowerMedian(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double perKib(double time, std::size_t bytes) {
  return time * 1024 / static_cast<double>(bytes);
}

long minorFaults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

// Absent: the kernel gave small pages.
std::optional<double> measureLarge(char* memory) {
  std::vector<double> pages;
  const long before = minorFaults();
  for (std::size_t offset = 0; offset < kLarge; offset += kHuge)
    pages.push_back(nanoseconds([&] { touch(memory + offset, kHuge); }));
  const bool large = minorFaults() - before == kLarge / kHuge;
  return large ? std::optional(perKib(lowQuantile(pages), kHuge)) : std::nullopt;
}

// The difference between a fresh page and a page that was freed a moment ago is the extra cost of cold memory, and of
// the allocator's own cold lines.
double measureSmall(char* memory, double cached) {
  std::vector<double> fresh;
  std::vector<double> again;
  for (std::size_t i = 0; i < kColdChunks; ++i)
    fresh.push_back(nanoseconds([&] { touch(memory + i * kChunk, kChunk); }));
  for (std::size_t i = 0; i < kCachedChunks; ++i) {
    madvise(memory, kChunk, MADV_DONTNEED);
    again.push_back(nanoseconds([&] { touch(memory, kChunk); }));
  }
  return cached + std::max(perKib(lowQuantile(fresh) - lowQuantile(again), kChunk), 0.0);
}

double measureCached(char* memory) {
  std::vector<double> times;
  for (std::size_t i = 0; i < kCachedChunks; ++i) times.push_back(nanoseconds([&] { std::memset(memory, 0, kChunk); }));
  return perKib(lowQuantile(times), kChunk);
}

// The kernel hands out the last freed pages first. Touching as much memory as the caches hold evicts the pages of the
// previous round, and of other programs.
std::optional<ClearingRound> measureRound(std::size_t evicting) {
  const FreshMemory all(evicting + kColdChunks * kChunk, MADV_HUGEPAGE);
  if (all.begin() == nullptr) return std::nullopt;
  touch(all.begin(), evicting - kLarge);
  const auto large = measureLarge(all.begin() + evicting - kLarge);
  const double cached = measureCached(all.begin());
  return ClearingRound{.cold = large ? *large : measureSmall(all.begin() + evicting, cached), .cached = cached};
}

// 0 if the kernel does not say. Only by system calls that a confined collector may make.
double otherRunnableThreads(int loadavg) {
  std::array<char, 128> text{};
  const ssize_t count = pread(loadavg, text.data(), text.size(), 0);
  if (count <= 0) return 0;
  const auto runnable = parseRunnable({text.data(), static_cast<std::size_t>(count)});
  return static_cast<double>(std::max<std::uint64_t>(runnable.value_or(1), 1) - 1);
}

double middle(std::span<const ClearingRound> rounds, double ClearingRound::* part) {
  std::vector<double> values;
  for (const ClearingRound& round : rounds) values.push_back(round.*part);
  return lowerMedian(values);
}

bool agree(double a, double b) {
  return std::max(a, b) <= std::min(a, b) * kAgreement;
}

bool possible(double nsPerKib) {
  return nsPerKib >= kLeastNsPerKib && nsPerKib <= kMostNsPerKib;
}

}  // namespace

ClearingCost::ClearingCost(std::size_t cacheBytes)
    : m_evicting((std::clamp(cacheBytes, kLarge, kMostEvicted) + kHuge - 1) / kHuge * kHuge),
      m_whole(cacheBytes <= kMostEvicted),
      m_processors(static_cast<double>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L))),
      m_loadavg(open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {}

void ClearingCost::measureAtStart() {
  for (std::size_t i = 0; i < kZeroingRounds; ++i) measure();
}

void ClearingCost::measure() {
  const double others = otherRunnableThreads(m_loadavg.get()) / m_processors;
  const Nanoseconds wall = read(CLOCK_MONOTONIC);
  const Nanoseconds processor = read(CLOCK_THREAD_CPUTIME_ID);
  auto round = measureRound(m_evicting);
  if (!round) return;
  round->others = others;
  const auto took = static_cast<double>((read(CLOCK_MONOTONIC) - wall).count());
  const auto used = static_cast<double>((read(CLOCK_THREAD_CPUTIME_ID) - processor).count());
  if (m_rounds.size() == kZeroingRounds) {
    if (took > used * kInterrupted) return;
    m_rounds.erase(m_rounds.begin());
  }
  m_rounds.push_back(*round);
}

std::optional<ClearingRound> agreedCosts(std::span<const ClearingRound> rounds) {
  if (rounds.size() < kZeroingRounds) return std::nullopt;
  std::array<std::vector<ClearingRound>, 3> thirds;
  for (std::size_t i = 0; i < rounds.size(); ++i) thirds[i % 3].push_back(rounds[i]);
  const double cold = middle(rounds, &ClearingRound::cold);
  const bool agreed =
      std::ranges::all_of(thirds, [&](const auto& third) { return agree(middle(third, &ClearingRound::cold), cold); });
  const double others = middle(rounds, &ClearingRound::others);
  if (!agreed || !possible(cold) || others > kMostOthers) return std::nullopt;
  return ClearingRound{cold, middle(rounds, &ClearingRound::cached), others};
}

std::size_t cacheBytes(const std::string& folder) {
  std::size_t all = 0;
  for (int index = 0;; ++index) {
    const std::string cache = folder + "/index" + std::to_string(index);
    std::size_t kib = 0;
    std::string type;
    if (!(std::ifstream(cache + "/size") >> kib)) break;
    std::ifstream(cache + "/type") >> type;
    if (type != "Instruction") all += kib * 1024;
  }
  return all > 0 ? all : kUnknownCache;
}

Quality ClearingCost::quality() const {
  const auto per4Kib = [](double nsPerKib) { return std::to_string(std::lround(4 * nsPerKib)); };
  std::string how =
      "Zeroed bytes times the cost of clearing memory that no cache holds. The collector measures this cost in its own "
      "processor time, at its start and every minute while the machine is idle. The result is at most the time inside "
      "the faults that asked for the memory. ";
  const auto costs = agreedCosts(m_rounds);
  if (!costs)
    return estimated(
        how +
        "Absent until the measurements agree within 15 % on a machine that is not busy; those at the start did not");
  how +=
      "At the start: " + per4Kib(costs->cold) + " ns for 4 KiB, " + per4Kib(costs->cached) +
      " if a cache still holds the memory. The time of a process that uses the same memory again and again may be too "
      "high, at most " +
      std::to_string(std::lround(std::ceil(costs->cold / costs->cached))) + " times";
  if (!m_whole) how += ". The cost may be too low, because this machine's caches are larger than the measured memory";
  return estimated(how);
}

}  // namespace faultline

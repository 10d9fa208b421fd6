#include "platform/linux/zeroing_cost_linux.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "platform/linux/quality_linux.h"

namespace faultline {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20U;     // where huge pages are larger, they count as small ones
constexpr std::size_t kChunk = std::size_t{128} << 10U;  // fits into a second-level cache
constexpr std::size_t kFreshChunks = 32;                 // 4 MB
constexpr int kRepeats = 32;
constexpr std::size_t kHugePages = 4;

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

template <class Work>
double nanoseconds(const Clock& clock, Work work) {
  const MonotonicTime begin = clock.now();
  work();
  return static_cast<double>((clock.now() - begin).count());
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double perKib(double time, std::size_t bytes) {
  return time * 1024 / static_cast<double>(bytes);
}

std::optional<double> measureSmall(const Clock& clock) {
  const FreshMemory memory(kFreshChunks * kChunk, MADV_NOHUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  std::vector<double> fresh;
  std::vector<double> again;
  std::vector<double> cached;
  fresh.reserve(kFreshChunks);
  for (std::size_t i = 0; i < kFreshChunks; ++i)
    fresh.push_back(nanoseconds(clock, [&] { touch(memory.begin() + i * kChunk, kChunk); }));
  for (int i = 0; i < kRepeats; ++i) {
    madvise(memory.begin(), kChunk, MADV_DONTNEED);
    again.push_back(nanoseconds(clock, [&] { touch(memory.begin(), kChunk); }));
    cached.push_back(nanoseconds(clock, [&] { std::memset(memory.begin(), 0, kChunk); }));
  }
  const double warm = median(cached);
  return perKib(std::max(warm + median(fresh) - median(again), warm), kChunk);
}

long minorFaults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

std::optional<double> measureLarge(const Clock& clock) {
  const FreshMemory memory(kHugePages * kHuge, MADV_HUGEPAGE);
  if (memory.begin() == nullptr) return std::nullopt;
  std::vector<double> fresh;
  for (std::size_t i = 0; i < kHugePages; ++i) {
    const long before = minorFaults();
    const double time = nanoseconds(clock, [&] { touch(memory.begin() + i * kHuge, kHuge); });
    if (minorFaults() - before == 1) fresh.push_back(time);
  }
  if (fresh.empty()) return std::nullopt;
  return perKib(median(fresh), kHuge);
}

}  // namespace

std::optional<ZeroingCost> measureZeroingCost(const Clock& clock) {
  const auto small = measureSmall(clock);
  if (!small) return std::nullopt;
  return ZeroingCost{.smallNsPerKib = *small, .largeNsPerKib = measureLarge(clock).value_or(*small)};
}

Quality zeroingTimeQuality(const ZeroingCost& cost) {
  const auto per4Kib = [](double nsPerKib) { return std::to_string(std::lround(4 * nsPerKib)); };
  return estimated("Zeroed bytes times what clearing cost when the collector started: " + per4Kib(cost.smallNsPerKib) +
                   " ns for 4 KiB in small pages, " + per4Kib(cost.largeNsPerKib) +
                   " in large ones. Up to five times too much where that memory is still in a cache");
}

}  // namespace faultline

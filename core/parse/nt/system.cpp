#include "core/parse/nt/system.h"

#include <cstring>

namespace faultline {
namespace {

// The fields used, from offset 0x2C on. I/O counters precede them.
struct PerformancePart {
  std::uint32_t availablePages;
  std::uint32_t committedPages;
  std::uint32_t commitLimit;
  std::uint32_t peakCommitment;
  std::uint32_t pageFaultCount;
  std::uint32_t copyOnWriteCount;
  std::uint32_t transitionCount;
  std::uint32_t cacheTransitionCount;
  std::uint32_t demandZeroCount;
  std::uint32_t pageReadCount;
  std::uint32_t pageReadIoCount;
};
constexpr std::size_t kPerformancePart = 0x2C;
static_assert(kPerformancePart + offsetof(PerformancePart, pageFaultCount) == 0x3C);
static_assert(kPerformancePart + offsetof(PerformancePart, demandZeroCount) == 0x4C);

template <class Part>
std::optional<Part> partAt(std::span<const std::byte> bytes, std::size_t offset) {
  if (bytes.size() < offset + sizeof(Part)) return std::nullopt;
  Part part{};
  std::memcpy(&part, bytes.data() + offset, sizeof part);
  return part;
}

}  // namespace

std::optional<NtPerformance> parseNtPerformance(std::span<const std::byte> bytes) {
  const auto part = partAt<PerformancePart>(bytes, kPerformancePart);
  if (!part) return std::nullopt;
  return NtPerformance{.availablePages = part->availablePages,
                       .committedPages = part->committedPages,
                       .commitLimitPages = part->commitLimit,
                       .faults = part->pageFaultCount,
                       .copyOnWrite = part->copyOnWriteCount,
                       .transitions = part->transitionCount,
                       .demandZero = part->demandZeroCount,
                       .pageReads = part->pageReadIoCount};
}

std::optional<NtMemoryLists> parseNtMemoryLists(std::span<const std::byte> bytes) {
  return partAt<NtMemoryLists>(bytes, 0);
}

std::optional<std::uint64_t> parseNtBootTime(std::span<const std::byte> bytes) {
  return partAt<std::uint64_t>(bytes, 0);
}

}  // namespace faultline

#include "core/culprits/causes.h"

namespace faultline {

// What malloc(3) and mallopt(3) tell: small blocks come from the heap, or, in a thread, from arenas that are aligned to
// 64 MiB; large blocks are mappings of their own, for whose header malloc adds up to a page. As soon as it frees a
// mapping of up to 32 MiB, it takes blocks of that size from the heap.
std::optional<bool> servedByMalloc(const FaultSample& sample, bool again) {
  constexpr std::uint64_t kArena = std::uint64_t{64} << 20U;
  constexpr std::uint64_t kLargestThreshold = std::uint64_t{32} << 20U;
  constexpr std::uint64_t kRound = std::uint64_t{64} << 10U;
  const MemoryKind memory = memoryKind(sample);
  if (memory == MemoryKind::Unknown) return std::nullopt;
  if (memory == MemoryKind::Heap) return true;
  if (memory != MemoryKind::Anonymous) return false;
  const FaultMapping& mapping = *sample.mapping;
  const std::uint64_t size = mapping.end - mapping.begin;
  if (!mapping.name.empty()) return mapping.name.starts_with("[anon: glibc: malloc");
  if (mapping.begin % kArena == 0 && size <= kArena) return true;
  if (size % kRound == 0 || (again && size < kLargestThreshold)) return false;
  return std::nullopt;
}

void CauseCount::add(const FaultSample& sample, FaultKind kind, const std::string& line, const CallCost& cost) {
  const MemoryKind memory = memoryKind(sample);
  std::string name = memoryName(sample);
  Counted& counted = m_causes[{kind, memory, name, line, sample.thread}];
  FaultCause& cause = counted.cause;
  cause.kind = kind;
  cause.memory = memory;
  cause.name = std::move(name);
  cause.line = line;
  cause.thread = sample.thread;
  cause.faults += cost.faults;
  cause.time += cost.time;
  const bool known = kind == FaultKind::FirstTouch && m_known.contains(blockOf(sample));
  if (known) cause.inKnownBlocks += cost.faults;
  if (const auto served = servedByMalloc(sample, known || kind == FaultKind::TouchedAgain))
    (*served ? cause.ofMalloc : cause.notOfMalloc) += cost.faults;
  if (sample.mapping && sample.mapping->end - sample.mapping->begin < kHugeRange) cause.inSmallMappings += cost.faults;
  counted.ranges.insert(sample.address / kHugeRange);
}

std::vector<FaultCause> CauseCount::found() const {
  std::vector<FaultCause> causes;
  for (const auto& [key, counted] : m_causes) {
    causes.push_back(counted.cause);
    causes.back().ranges = counted.ranges.size();
  }
  return causes;
}

}  // namespace faultline

// Causes: what a frame's faults were for, by kind, memory, line of code and thread together. Advice is concluded from
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "core/culprits/call_tree.h"
#include "core/culprits/fault_kind.h"
#include "core/model/fault_sample.h"

namespace faultline {

struct FaultCause {
  FaultKind kind = FaultKind::Unknown;
  MemoryKind memory = MemoryKind::Unknown;
  std::string name;          // of the memory, as memoryName()
  std::string line;          // of the game's own code, as in Culprits; "unknown" if no call stack is known
  std::uint32_t thread = 0;  // its id
  std::uint64_t faults = 0;  // represented by its samples
  Nanoseconds time{0};       // of these faults, as far as known
  // Of `faults`: first touches in blocks of 64 KiB in which other pages had faulted in an earlier frame. Where only
  // some faults are sampled, most of these pages had faulted, too.
  std::uint64_t inKnownBlocks = 0;
  std::uint64_t inSmallMappings = 0;  // of `faults`: their mapping is smaller than kHugeRange
  std::uint64_t ofMalloc = 0;         // of `faults`: in memory that malloc of glibc took; see servedByMalloc()
  std::uint64_t notOfMalloc = 0;      // of `faults`: in memory that it did not take, such as the program's own mappings
  std::uint64_t ranges = 0;           // of kHugeRange, aligned, that the touched pages lie in

  bool operator==(const FaultCause&) const = default;
};

inline constexpr unsigned kBlockBits = 16;                            // of an address in its block of 64 KiB
inline constexpr std::uint64_t kHugeRange = std::uint64_t{2} << 20U;  // of a huge page on x86-64 and most of aarch64

// Whether malloc of glibc took this memory from the system; absent: either is possible. `again`: the memory was given
// back before.
[[nodiscard]] std::optional<bool> servedByMalloc(const FaultSample& sample, bool again);

class CauseCount {
 public:
  void remember(const FaultSample& sample) { m_known.insert(blockOf(sample)); }  // of an earlier frame
  // `cost`: of the faults that the sample stands for, or of a part of them.
  void add(const FaultSample& sample, FaultKind kind, const std::string& line, const CallCost& cost);
  [[nodiscard]] std::vector<FaultCause> found() const;  // in no order that means something

 private:
  using Key = std::tuple<FaultKind, MemoryKind, std::string, std::string, std::uint32_t>;
  struct Counted {
    FaultCause cause;
    std::set<std::uint64_t> ranges;
  };
  static std::uint64_t blockOf(const FaultSample& sample) { return sample.address >> kBlockBits; }

  std::map<Key, Counted> m_causes;
  std::unordered_set<std::uint64_t> m_known;
};

}  // namespace faultline

// The kind of a page fault and the memory it touched, as far as a sample tells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/model/fault_sample.h"

namespace faultline {

enum class FaultKind : std::uint8_t {
  FirstTouch,
  TouchedAgain,  // after its release to the system (MADV_DONTNEED, munmap)
  CopyOnWrite,
  File,
  SwappedIn,
  Unknown,
};
inline constexpr std::size_t kFaultKinds = 6;

enum class MemoryKind : std::uint8_t { Heap, Stack, Anonymous, Shared, File, Device, Unknown };

[[nodiscard]] MemoryKind memoryKind(const FaultSample& sample);
[[nodiscard]] std::string_view faultKindName(FaultKind kind);  // "first touch"
// "heap", "stack", "anonymous memory", "shared memory", a file's path or "unknown"; printable.
[[nodiscard]] std::string memoryName(const FaultSample& sample);

// FaultKinds: classifies faults. Remembers which pages have faulted, to detect TouchedAgain; its count is a lower
// bound, as only sampled faults are known.
class FaultKinds {
 public:
  // Samples must be passed in order of time.
  [[nodiscard]] FaultKind next(const FaultSample& sample);

 private:
  std::unordered_map<std::uint64_t, MonotonicTime> m_pages;  // when each faulted last
};

}  // namespace faultline

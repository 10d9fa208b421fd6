// Why a page fault happened, and in what memory, as far as a sample tells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/model/fault_sample.h"

namespace faultline {

enum class FaultKind : std::uint8_t {
  FirstTouch,
  TouchedAgain,  // after it had been given back to the system (MADV_DONTNEED, munmap)
  CopyOnWrite,
  File,
  SwappedIn,
  Unknown,
};
inline constexpr std::size_t kFaultKinds = 6;

[[nodiscard]] std::string_view faultKindName(FaultKind kind);  // "first touch"
// "heap", "stack", "anonymous memory", "shared memory", a file's path, "not known"; fit for a line of text.
[[nodiscard]] std::string memoryName(const FaultSample& sample);

// Remembers which pages have faulted, as only their past tells TouchedAgain: what it finds of that is the least there
// is.
class FaultKinds {
 public:
  // Of the next sample; they come in the order of their time.
  [[nodiscard]] FaultKind next(const FaultSample& sample);

 private:
  std::unordered_map<std::uint64_t, MonotonicTime> m_pages;  // when each faulted last
};

}  // namespace faultline

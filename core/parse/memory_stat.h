// The page faults that the kernel counts for a control group and all groups below it, since the group was made
// (memory.stat, in version 2 and 1). Both include faults that the kernel takes for itself in a process's memory, which
// the process's own counts leave out. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct GroupFaults {
  std::uint64_t all = 0;  // minor and major
  std::uint64_t major = 0;

  bool operator==(const GroupFaults&) const = default;
};

[[nodiscard]] std::optional<GroupFaults> parseMemoryStat(std::string_view text);  // absent: damaged, or another file

}  // namespace faultline

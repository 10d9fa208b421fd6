// What changed between two snapshots, by index. Keeps its memory from one comparison to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline::wire {

struct SnapshotDiff {
  struct Change {
    std::uint32_t before = 0;  // index in the earlier snapshot
    std::uint32_t now = 0;
    std::uint32_t metrics = 0;  // a bit per metric whose value differs

    bool operator==(const Change&) const = default;
  };

  std::vector<std::uint32_t> gone;   // indices in the earlier snapshot
  std::vector<Change> changed;       // same name and same metrics present, other values
  std::vector<std::uint32_t> whole;  // indices in the later one: new, or changed in more than values
  std::size_t changedValues = 0;     // bits set in all of `changed`

  void compare(std::span<const ProcessSample> before, std::span<const ProcessSample> now);
};

}  // namespace faultline::wire

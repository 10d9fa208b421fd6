// SnapshotDiff: the differences between two snapshots, as indices. Reuses its memory.
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
    std::uint32_t metrics = 0;  // a bit for each metric whose value differs

    bool operator==(const Change&) const = default;
  };

  std::vector<std::uint32_t> gone;   // indices in the earlier snapshot
  std::vector<Change> changed;       // same name, service and metrics present, different values
  std::vector<std::uint32_t> whole;  // in the later snapshot: new, or name, service or present metrics differ
  std::size_t changedValues = 0;     // bits set in all of `changed`

  void compare(std::span<const ProcessSample> before, std::span<const ProcessSample> now);
};

}  // namespace faultline::wire

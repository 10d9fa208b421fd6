// LanePicture: the faults of a run, coarse enough to keep and to draw: a lane for each thread, in columns of equal
// length, and the moments in which threads resume together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lanes/lanes.h"

namespace faultline {

inline constexpr std::size_t kLaneColumns = 800;

struct LanePicture {
  struct Lane {
    std::string thread{};                // "worker (4711)"
    std::uint64_t faults = 0;            // with a measured time
    Nanoseconds longest{0};              // of them
    std::vector<std::uint8_t> inside{};  // of each column, the percentage inside faults; rounded up

    bool operator==(const Lane&) const = default;
  };
  struct Resume {
    std::size_t column = 0;
    std::size_t threads = 0;  // the most, where threads resume together several times in the column

    bool operator==(const Resume&) const = default;
  };

  std::string run{};
  Nanoseconds took{0};
  std::string sentence{};     // see laneText()
  std::uint64_t faults = 0;   // of all lanes
  std::vector<Lane> lanes{};  // in order of the threads' ids
  std::vector<Resume> resumed{};

  bool operator==(const LanePicture&) const = default;
};

// Of the faults that end in the run; absent: none does. `names`: of threads, by their ids.
[[nodiscard]] std::optional<LanePicture> drawLanes(std::span<const LaneFault> faults,
                                                   const std::map<std::uint32_t, std::string>& names,
                                                   const LaneRun& run, const LaneSummary& summary);

}  // namespace faultline

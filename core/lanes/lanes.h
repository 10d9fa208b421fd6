// The single faults of threads, taken together: how long they last in a run, and when threads that waited in faults
// resume together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace faultline {

// A fault with a measured time, without its memory and code.
struct LaneFault {
  MonotonicTime end;
  Nanoseconds took{0};
  std::uint32_t thread = 0;

  [[nodiscard]] MonotonicTime begin() const { return end - took; }
};

struct LaneRun {
  std::string name;
  MonotonicTime from;
  MonotonicTime to;
};

// Several threads left faults that lasted for long at nearly the same time, and all were in them together before.
struct JointResume {
  MonotonicTime time;       // of the last one
  std::size_t threads = 0;  // at least 2

  bool operator==(const JointResume&) const = default;
};

// The time that the faults of one run took.
struct LaneSummary {
  std::uint64_t faults = 0;  // with a measured time
  Nanoseconds median{0};
  Nanoseconds slow{0};  // one of 100 takes longer
  Nanoseconds longest{0};
  std::vector<JointResume> joint{};

  bool operator==(const LaneSummary&) const = default;
};

// A fault lasts for long from `least` on, and the ends lie within `near` of each other. Faults in any order.
[[nodiscard]] std::vector<JointResume> jointResumes(std::vector<LaneFault> faults, Nanoseconds least, Nanoseconds near);
// Of the faults that end in the run; absent: none does.
[[nodiscard]] std::optional<LaneSummary> summarizeLanes(std::span<const LaneFault> faults, const LaneRun& run);
[[nodiscard]] std::string laneText(const LaneSummary& summary);  // "16 000 faults, the median 1.2 µs, ..."

}  // namespace faultline

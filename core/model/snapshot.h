// A snapshot: raw cumulative values of every process at one instant. No rate travels; readers derive them
// (core/history/rates.h).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/values.h"

namespace faultline {

// A pid alone is no identity: pids are reused. Start time is in ns since boot, suspend included, at the kernel's tick:
// 10 ms on Linux, 100 ns on Windows, where it is the difference of two times on the wall and, for what starts while the
// sampler runs, kept between the two sweeps that it started between. A sampler that sees a pid reused within one tick
// adds 1 ns, so that two processes never share a key.
struct ProcessKey {
  std::uint32_t pid = 0;
  std::uint64_t startTime = 0;

  auto operator<=>(const ProcessKey&) const = default;
};

struct ProcessSample {
  ProcessKey key;
  std::string name;  // the bytes the kernel gave; any byte but NUL may occur
  ProcessValues values;

  bool operator==(const ProcessSample&) const = default;
};

struct Snapshot {
  MonotonicTime time;        // read before the scan began
  WallTime wallTime;         // read together with `time`
  Nanoseconds suspended{0};  // how long the machine has slept since boot (gauge); growth between snapshots is a suspend
  Nanoseconds scan{0};       // how long taking this snapshot lasted
  SystemValues system;
  std::vector<ProcessSample> processes;  // sorted by key, each key once
  // Last totals of processes that ended since the snapshot before, where the sampler knows them: sorted by key, each
  // once, none of them in `processes`. Whoever was born and ended in between is seen here and nowhere else.
  std::vector<ProcessSample> exited;

  bool operator==(const Snapshot&) const = default;
};

}  // namespace faultline

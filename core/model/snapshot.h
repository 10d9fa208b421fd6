// Snapshot: raw cumulative values of every process at one instant. Streams contain no rates; readers derive them
// (core/history/rates.h).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/values.h"

namespace faultline {

// Identity of a process: pids are reused. Start time is in ns since boot, including suspend, in ticks of the kernel:
// 10 ms on Linux, 100 ns on Windows. There it is the difference of two wall times; that of a process that starts while
// the sampler runs is kept between the two sweeps around its start. A sampler that sees a pid reused within one tick
// adds 1 ns, so that two processes never share a key.
struct ProcessKey {
  std::uint32_t pid = 0;
  std::uint64_t startTime = 0;

  auto operator<=>(const ProcessKey&) const = default;
};

struct ProcessSample {
  ProcessKey key;
  std::string name;  // bytes from the kernel; any byte but NUL may occur
  ProcessValues values;
  std::string service{};  // that it runs in, see core/monitor/service_names.h; kNoService, or empty if unknown

  bool operator==(const ProcessSample&) const = default;
};

// How many timed faults of the whole machine took how long, since some moment: bucket i has those above 2^(6 + i) ns,
// up to 2^(7 + i) = upper(i). The first also has all shorter ones: no fault is served in less than its two readings of
// the clock. The last has all above 8.6 s, the wait for a disk that does not answer.
struct FaultDurations {
  static constexpr std::size_t kBuckets = 28;
  [[nodiscard]] static constexpr std::uint64_t upper(std::size_t bucket) { return std::uint64_t{128} << bucket; }

  std::array<std::uint64_t, kBuckets> faults{};
  std::uint64_t ns = 0;  // of all of them together

  [[nodiscard]] std::uint64_t count() const { return std::accumulate(faults.begin(), faults.end(), std::uint64_t{0}); }
  bool operator==(const FaultDurations&) const = default;
};

struct Snapshot {
  MonotonicTime time;        // read before the scan began
  WallTime wallTime;         // read together with `time`
  Nanoseconds suspended{0};  // time the machine has slept since boot (gauge); growth between snapshots is a suspend
  Nanoseconds scan{0};       // duration of taking this snapshot
  SystemValues system;
  std::vector<ProcessSample> processes;  // sorted by key, each key once
  // Final totals of processes that ended since the previous snapshot, if the sampler knows them: sorted by key, each
  // key once, none in `processes`. A process that was born and ended in between is listed only here.
  std::vector<ProcessSample> exited;
  // Of every process, ended ones included; absent where fault time is not measured. Read before the processes, whose
  // fault times and timed faults may be ahead by the faults that end meanwhile.
  std::optional<FaultDurations> faultDurations{};

  bool operator==(const Snapshot&) const = default;
};

}  // namespace faultline

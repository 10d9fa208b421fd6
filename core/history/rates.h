// Rates: a pure function of two raw snapshots. No other code in Faultline divides by time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

// Start times of processes are rounded down to this step on Linux (USER_HZ); the step of other systems is finer.
inline constexpr Nanoseconds kTick = std::chrono::milliseconds(10);

// Differences of counters over one interval; gauges have none. Absent: no predecessor, value missing, or a gap.
using ProcessDeltas = ProcessValues;
using SystemDeltas = SystemValues;

struct ProcessRow {
  ProcessKey key;
  std::string name;
  ProcessValues values;  // raw, as sampled
  ProcessDeltas deltas;
  bool born = false;    // started after the previous snapshot: its deltas are its whole counters
  bool idle = false;    // no value has changed since the previous snapshot: all deltas are 0
  bool exited = false;  // ended since the previous snapshot: last row, with final totals; counted in `died`
  bool own = false;     // a process of Faultline's own; set by OwnProcesses
  // Faults of waited-for children that no sample of the children contains. Negative: of a child that has ended, but was
  // not waited for yet. Only sums over time are meaningful.
  std::int64_t unseenMinor = 0;
  std::int64_t unseenMajor = 0;
  std::uint64_t residentGrowth = 0;  // in bytes; 0 also if it shrank, or is unknown
  std::string service{};             // as ProcessSample has it

  bool operator==(const ProcessRow&) const = default;
};

// For sums by service.
[[nodiscard]] const std::string& serviceName(const ProcessRow& row);

enum class Gap : std::uint8_t {
  None,
  First,      // no previous snapshot
  Suspended,  // the machine slept in between
  Late,       // more than kLateFactor intervals passed; deltas are valid, but spread over that time
  Backwards,  // time stood still or ran backwards: no deltas
};

// Sum of the zeroing times of a living process, each at the cost that was valid then.
struct ZeroingSoFar {
  ProcessKey key;
  std::uint64_t ns = 0;
};

// A snapshot, and its differences from the previous snapshot.
struct Moment {
  MonotonicTime time;
  WallTime wallTime;
  Nanoseconds interval{0};  // since the previous snapshot; 0 for Gap::First and Gap::Backwards
  Gap gap = Gap::First;
  bool brief = false;  // interval below a fifth of the nominal one (often the last sample): too short for rates
  SystemValues system;
  SystemDeltas systemDeltas;
  std::optional<FaultDurations> faultDurations;  // since the previous snapshot; absent if either has none
  ProcessDeltas processTotal;                    // sum of the per-process deltas, never a difference of sums
  ProcessDeltas own;                             // moved out of it by OwnProcesses: Faultline's own
  std::vector<ProcessRow> rows;                  // sorted by key
  std::uint32_t born = 0;
  std::uint32_t died = 0;
  std::vector<ZeroingSoFar> zeroing;  // sorted by key

  [[nodiscard]] std::optional<double> perSecond(std::optional<std::uint64_t> delta) const {
    return brief ? std::nullopt : overInterval(delta);
  }
  // The rate even if `brief`; rate times interval is the difference.
  [[nodiscard]] std::optional<double> overInterval(std::optional<std::uint64_t> delta) const {
    if (!delta || interval.count() <= 0) return std::nullopt;
    return static_cast<double>(*delta) * 1e9 / static_cast<double>(interval.count());
  }
  // Faults of the whole machine that belong to no row: of processes that no snapshot saw. Absent if a count is absent.
  [[nodiscard]] std::optional<std::uint64_t> unattributed() const;
  [[nodiscard]] ProcessDeltas everyone() const;  // processTotal and own
  [[nodiscard]] const ProcessRow* find(const ProcessKey& key) const;
};

inline constexpr int kLateFactor = 3;
inline constexpr int kBriefPart = 5;

// Minor faults times `nsPerFault`, where `values` have no fault time. Major faults are left out: nobody knows how long
// they wait for the disk.
void estimateFaultTime(double nsPerFault, ProcessValues& values);

// Overwrites `out`, which holds the moment of `previous`, and reuses its memory. `previous` may be null. `nsPerFault`
// estimates the time in faults of processes for which none was measured. `step`: the time between snapshots where some
// are skipped, 0 if it varies; absent: as the snapshot, or else Hello, tells.
void derive(const Hello& hello, const Snapshot* previous, const Snapshot& current, Moment& out,
            std::optional<double> nsPerFault = {}, std::optional<Nanoseconds> step = {});

// Counter difference modulo 2^wrapBits. A smaller value is a wrap if the difference is below half the range; otherwise
// the counter went backwards, and the difference is absent.
[[nodiscard]] std::optional<std::uint64_t> counterDelta(std::uint64_t before, std::uint64_t after, unsigned wrapBits);

}  // namespace faultline

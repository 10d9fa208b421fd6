// Rates: a pure function of two raw snapshots. Nothing else in Faultline divides by time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

// The step that start times of processes are rounded down to on Linux (USER_HZ); elsewhere it is finer.
inline constexpr Nanoseconds kTick = std::chrono::milliseconds(10);

// Differences of counters over one interval; gauges have none. Absent: no predecessor, value missing, or a gap.
using ProcessDeltas = ProcessValues;
using SystemDeltas = SystemValues;

struct ProcessRow {
  ProcessKey key;
  std::string name;
  ProcessValues values;  // raw, as sampled
  ProcessDeltas deltas;
  bool born = false;    // started after the previous snapshot: its deltas are all it has done so far
  bool exited = false;  // ended since the previous snapshot: its last row, with final totals; counted in `died`
  // Faults of children it has waited for that no sample saw of them. Below zero: those of a child that is gone and that
  // nobody has waited for yet. Only sums over time tell anything.
  std::int64_t unseenMinor = 0;
  std::int64_t unseenMajor = 0;

  bool operator==(const ProcessRow&) const = default;
};

enum class Gap : std::uint8_t {
  None,
  First,      // nothing before it
  Suspended,  // the machine slept in between
  Late,       // more than kLateFactor intervals passed; deltas are valid, but say nothing about when
  Backwards,  // time stood still or ran backwards: no deltas at all
};

// One instant as the reader sees it: what a snapshot says, and what it says compared with the one before.
struct Moment {
  MonotonicTime time;
  WallTime wallTime;
  Nanoseconds interval{0};  // since the previous snapshot; 0 when Gap::First or Gap::Backwards
  Gap gap = Gap::First;
  bool brief = false;  // under a fifth of the interval asked for, as the last sample may be: too short to tell rates
  SystemValues system;
  SystemDeltas systemDeltas;
  ProcessDeltas processTotal;    // sum of the per-process deltas, never a difference of sums
  std::vector<ProcessRow> rows;  // sorted by key
  std::uint32_t born = 0;
  std::uint32_t died = 0;

  [[nodiscard]] std::optional<double> perSecond(std::optional<std::uint64_t> delta) const {
    return brief ? std::nullopt : overInterval(delta);
  }
  // A rate even where it says little: times the interval it is the difference again.
  [[nodiscard]] std::optional<double> overInterval(std::optional<std::uint64_t> delta) const {
    if (!delta || interval.count() <= 0) return std::nullopt;
    return static_cast<double>(*delta) * 1e9 / static_cast<double>(interval.count());
  }
  // Faults of the whole machine that belong to no row: of processes that nobody saw. Absent without either count.
  [[nodiscard]] std::optional<std::uint64_t> unattributed() const;
  [[nodiscard]] const ProcessRow* find(const ProcessKey& key) const;
};

inline constexpr int kLateFactor = 3;
inline constexpr int kBriefPart = 5;

// Overwrites `out`, reusing its memory. `previous` may be null.
void derive(const Hello& hello, const Snapshot* previous, const Snapshot& current, Moment& out);

// Counter difference modulo 2^wrapBits. A counter that is no larger than before by less than half the range is a wrap;
// otherwise it went backwards, and there is no difference to tell.
[[nodiscard]] std::optional<std::uint64_t> counterDelta(std::uint64_t before, std::uint64_t after, unsigned wrapBits);

}  // namespace faultline

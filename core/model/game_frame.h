// GameFrame: one turn of a game's loop, from the mark that ended the turn before to its own. Faults are those that
// happened between the two, times are CLOCK_MONOTONIC's; what could not be measured is absent, which is not zero.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/model/fault_parts.h"

namespace faultline {

struct GameFrame {
  std::uint64_t number = 0;  // counts the marks of the game, watched or not
  MonotonicTime start;
  Nanoseconds duration{0};
  std::uint32_t thread = 0;  // that came to the mark at its end
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  // Of these, the thread's own; absent unless the same thread came to both marks.
  std::optional<std::uint64_t> ownMinorFaults;
  std::optional<std::uint64_t> ownMajorFaults;
  std::optional<std::uint64_t> zeroedBytes;
  std::optional<Nanoseconds> faultTime;         // all threads together
  std::optional<std::uint64_t> ownZeroedBytes;  // the thread's own, as above
  std::optional<Nanoseconds> ownFaultTime;
  // The number of faults that faultTime is of, where that is fewer than all: the others were not timed.
  std::optional<std::uint64_t> timedFaults{};
  std::optional<FaultTimeParts> faultParts{};  // of faultTime

  bool operator==(const GameFrame&) const = default;

  [[nodiscard]] std::uint64_t faults() const { return minorFaults + majorFaults; }
  void setTimedFaults(std::optional<std::uint64_t> timed) {
    if (timed && *timed < faults()) timedFaults = timed;
  }
  [[nodiscard]] MonotonicTime end() const {
    const Nanoseconds most = Nanoseconds::max() - start.sinceEpoch;  // whatever a stream claims
    return start + (duration < most ? duration : most);
  }
};

enum class GameState : std::uint8_t {
  Running,
  Exited,       // the process is gone, however it ended
  ProgramLeft,  // exec: the process goes on as another program, whose marks are others
};

// What came since the batch before. The totals are those of the whole stream.
struct GameFrameBatch {
  std::uint64_t lost = 0;          // frames that were marked and cannot be told
  std::uint64_t invalidMarks = 0;  // marks that cannot be true: time or counts that run backwards
  GameState state = GameState::Running;
  std::vector<GameFrame> frames;

  bool operator==(const GameFrameBatch&) const = default;
};

}  // namespace faultline

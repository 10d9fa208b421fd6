// GameFrame: one turn of a game's loop, from the mark that ended the previous turn to its own mark, with the faults
// between the two. Times are of CLOCK_MONOTONIC; a value that could not be measured is absent, not zero.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/model/frame_delay.h"
#include "core/model/thread_time.h"

namespace faultline {

struct GameFrame {
  std::uint64_t number = 0;  // counts the marks of the game, watched or not
  MonotonicTime start;
  Nanoseconds duration{0};
  std::uint32_t thread = 0;                      // that reached the mark at the frame's end
  std::uint64_t minorFaults = 0;                 // with the major ones where those are absent
  std::optional<std::uint64_t> majorFaults = 0;  // absent: the system does not tell them apart
  // The faults of that thread; absent unless it reached both marks.
  std::optional<std::uint64_t> ownMinorFaults;
  std::optional<std::uint64_t> ownMajorFaults;
  std::optional<std::uint64_t> zeroedBytes;
  std::optional<Nanoseconds> faultTime;         // all threads together
  std::optional<std::uint64_t> ownZeroedBytes;  // the thread's own, as above
  std::optional<Nanoseconds> ownFaultTime;
  // Number of faults in faultTime; absent if all were timed.
  std::optional<std::uint64_t> timedFaults{};
  std::optional<FaultTimeParts> faultParts{};  // of faultTime
  std::optional<ThreadTime> threadTime{};      // the thread's own, as above
  // Time in which the kernel took pages away (munmap, madvise, mremap, brk), all threads together; without waits, where
  // threadTime is known.
  std::optional<Nanoseconds> teardown{};
  std::optional<Nanoseconds> ownTeardown{};  // the thread's own, as above
  std::optional<FrameDelay> delay{};         // absent: none was asked for, or it is unknown

  bool operator==(const GameFrame&) const = default;

  [[nodiscard]] std::uint64_t faults() const { return minorFaults + majorFaults.value_or(0); }
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
  Exited,       // the process has ended
  ProgramLeft,  // exec: the process runs another program, with other marks
};

// The frames since the previous batch. The totals are of the whole stream.
struct GameFrameBatch {
  std::uint64_t lost = 0;          // frames that were marked, but not kept
  std::uint64_t invalidMarks = 0;  // marks with impossible values: time or counts that run backwards
  GameState state = GameState::Running;
  std::vector<GameFrame> frames;
  std::optional<std::uint64_t> faultsAfter{};  // of a game that has exited: faults after its last frame

  bool operator==(const GameFrameBatch&) const = default;
};

}  // namespace faultline

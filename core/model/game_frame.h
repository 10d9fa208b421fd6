// GameFrame: one turn of a game's loop, from the mark that ended the previous turn to its own mark, with the faults
// between the two. Times are of CLOCK_MONOTONIC; a value that could not be measured is absent, not zero.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/model/frame_values.h"

namespace faultline {

struct GameFrame {
  std::uint64_t number = 0;  // counts the marks of the game, watched or not
  MonotonicTime start;
  Nanoseconds duration{0};
  std::uint32_t thread = 0;  // that reached the mark at the frame's end
  FrameValues values{};

  bool operator==(const GameFrame&) const = default;

  [[nodiscard]] std::optional<std::uint64_t> get(FrameMetric metric) const { return values.get(metric); }
  [[nodiscard]] std::optional<Nanoseconds> time(FrameMetric metric) const { return values.time(metric); }
  [[nodiscard]] std::uint64_t minorFaults() const { return values.minorFaults(); }
  [[nodiscard]] std::optional<std::uint64_t> majorFaults() const { return values.majorFaults(); }
  [[nodiscard]] std::uint64_t faults() const { return values.faults(); }
  [[nodiscard]] std::optional<std::uint64_t> ownFaults() const { return values.ownFaults(); }
  [[nodiscard]] std::optional<FaultTimeParts> faultParts() const { return values.faultParts(); }
  [[nodiscard]] std::optional<ThreadTime> threadTime() const { return values.threadTime(); }
  [[nodiscard]] std::optional<FrameDelay> delay() const { return values.delay(); }
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

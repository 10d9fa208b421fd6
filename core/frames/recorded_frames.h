// RecordedFrames: all that a recording tells of one game's faults, as slots of time with counts, whatever it is: frames
// of `faultline-cli frames` (its stream, or its CSV), or the sweeps of all processes, each a slot that ends with it.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"

namespace faultline {

enum class SlotKind : std::uint8_t {
  Frames,   // of the game, by its marks
  Assumed,  // of an assumed rate
  Sweeps,
};

// One instant on both clocks.
struct ClockPair {
  MonotonicTime steady;
  WallTime wall;
};

struct RecordedFrames {
  SlotKind kind = SlotKind::Frames;
  WatchedGame watched;           // pid and name are those of the game; 0 and empty: not told
  std::string clock;             // Hello::clock; empty: not told
  std::vector<GameFrame> slots;  // in the order they came
  std::optional<ClockPair> clocks;
  bool cut = false;  // the recording is damaged, or has no end
};

// `pid` says which process, where more than one was recorded; of those that had it one after the other the last.
// Error: neither kind of recording, or nothing of that process in it.
[[nodiscard]] Result<RecordedFrames> readRecordedFrames(std::istream& file, std::optional<std::uint32_t> pid);

}  // namespace faultline

// RecordedFrames: a game's faults from any recording, as slots of time with counts. Sources: the stream or CSV of
// `faultline-cli frames`, or sweeps of all processes, where a slot ends with each sweep.
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
  Frames,   // frames by the game's marks
  Assumed,  // frames of an assumed length
  Sweeps,
};

// The same instant on both clocks.
struct ClockPair {
  MonotonicTime steady;
  WallTime wall;
};

struct RecordedFrames {
  SlotKind kind = SlotKind::Frames;
  WatchedGame watched;           // pid 0 or an empty name: unknown
  std::string clock;             // Hello::clock; empty if unknown
  std::vector<GameFrame> slots;  // in recorded order
  std::optional<ClockPair> clocks;
  bool cut = false;  // the recording is damaged or has no end mark
};

// `pid` selects the process if there are several; if a pid was reused, the last process with it. Error: not a
// recording, or no data about the process; the message continues a sentence that begins with the file's name.
[[nodiscard]] Result<RecordedFrames> readRecordedFrames(std::istream& file, std::optional<std::uint32_t> pid);

}  // namespace faultline

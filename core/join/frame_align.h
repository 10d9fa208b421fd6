// Finds the position of a log of frame times within a recording by the durations alone, as stutter makes each part of a
// game distinct. Refuses ambiguous positions, such as in a game with an even pace.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/join/frame_times.h"
#include "core/model/game_frame.h"

namespace faultline {

struct FrameAlignment {
  Nanoseconds offset{0};     // add it to times of the log to get times of the recording
  Nanoseconds deviation{0};  // median distance between ends of frames in the log and in the recording
  // Share of the variation in the log's durations that the recorded durations explain: 1 all, 0 or less none.
  double explained = 0;
  double runnerUp = 0;         // `explained` of the second-best position
  std::uint64_t compared = 0;  // frames of the log within the recorded time
  std::uint64_t matched = 0;   // of these, frames that end with a recorded frame of the same length
};

// `recorded`: frames by the game's marks, in order. Error: no position, or no unique one, with the reason.
[[nodiscard]] Result<FrameAlignment> alignFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded);
// Quality of the fit at a known offset; `runnerUp` is not computed.
[[nodiscard]] FrameAlignment fitAt(std::span<const FrameSpan> log, std::span<const GameFrame> recorded,
                                   Nanoseconds offset);

}  // namespace faultline

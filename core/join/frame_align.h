// Where in a recording a log of frame times belongs, found by the durations alone: no two stretches of a game stutter
// alike. Refuses where many places look alike, as in a game that keeps an even pace.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/join/frame_times.h"
#include "core/model/game_frame.h"

namespace faultline {

struct FrameAlignment {
  Nanoseconds offset{0};     // from the log's clock to the recording's
  Nanoseconds deviation{0};  // median of how far the log's ends of frames then lie from the recorded ones
  // How much of what sets the durations apart from each other the recorded ones account for: 1 all, 0 and below none.
  double explained = 0;
  double runnerUp = 0;         // the same of the next best place
  std::uint64_t compared = 0;  // frames of the log in the time that was recorded
  std::uint64_t matched = 0;   // of them, those that end with a recorded one and last as long
};

// `recorded` are frames by the game's marks, in order. Error: no place, or no single one; says how it was tried.
[[nodiscard]] Result<FrameAlignment> alignFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded);
// How well a log fits at a place that is known otherwise; no runner-up is looked for.
[[nodiscard]] FrameAlignment fitAt(std::span<const FrameSpan> log, std::span<const GameFrame> recorded,
                                   Nanoseconds offset);

}  // namespace faultline

// Joins frame times from another tool with a recording of the same game: each frame of the log gets the faults that
// fell into it. A recorded slot (a frame by marks, an assumed frame, or the time between two sweeps) that lies within a
// frame of the log is counted whole; otherwise its counts are divided in proportion to time, and are an estimate. No
// fault is counted twice, or dropped between two adjacent frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/join/frame_times.h"
#include "core/model/game_frame.h"

namespace faultline {

struct JoinOptions {
  Nanoseconds offset{0};  // add it to times of the log to get times of the recording
  // Start or end of a frame this close to that of a recorded frame are taken as equal.
  Nanoseconds tolerance{0};
};

struct JoinedFrames {
  std::vector<GameFrame> frames;  // number: position in the log, from 1; thread 0: unknown
  std::uint64_t divided = 0;      // frames whose counts are estimates
  std::uint64_t outside = 0;      // frames of the log outside the recorded time, omitted from `frames`
};

// Omits recorded frames that overlap an earlier one.
[[nodiscard]] JoinedFrames joinFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded,
                                      const JoinOptions& options);

}  // namespace faultline

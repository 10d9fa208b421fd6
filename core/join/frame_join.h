// The join of frame times that another tool wrote with what Faultline recorded of the same game: each of its frames
// gets the faults that fell into it. What is recorded (frames by marks, slots of an assumed rate, or the time from one
// sweep to the next) is taken whole where it lies inside such a frame, and divided in proportion to time where it does
// not: then the count is an estimate. No fault is counted twice or dropped between two frames that meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/join/frame_times.h"
#include "core/model/game_frame.h"

namespace faultline {

struct JoinOptions {
  Nanoseconds offset{0};  // from the log's clock to the recording's
  // An end of a frame that is so near to an end of a recorded one is the same.
  Nanoseconds tolerance{0};
};

struct JoinedFrames {
  std::vector<GameFrame> frames;  // numbered by their place in the log, from 1 on; thread 0: not known
  std::uint64_t divided = 0;      // of them, whose counts are estimates
  std::uint64_t outside = 0;      // of the log, in a time of which nothing was recorded: not among the frames
};

// Recorded frames that overlap one before them are left out.
[[nodiscard]] JoinedFrames joinFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded,
                                      const JoinOptions& options);

}  // namespace faultline

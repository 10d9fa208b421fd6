// Finds the start of a log of frame times within a recording: by --anchor, by the clock that both share, by the
// durations of the frames, or by the times of the files; and says how certain the result is.
#pragma once

#include <filesystem>
#include <string>

#include "core/frames/files/recorded_frames.h"
#include "core/join/frame_join.h"

namespace faultline {

struct JoinPlace {
  JoinOptions options;
  std::string how;  // the source and certainty of `options`, to follow "Their place in the recording is "
};

struct JoinInput {
  const FrameTimes& log;
  std::filesystem::path logFile;
  const RecordedFrames& recorded;
  std::filesystem::path recordingFile;
  std::string anchor;  // start of the log: "1.5s" or "-1.5s" after that of the recording, or local time; empty: find it
};

// Error: the place cannot be found; the message names the remedy.
[[nodiscard]] Result<JoinPlace> placeLog(const JoinInput& input);

}  // namespace faultline

// Where in a recording a log of frame times begins, by all that may tell: the clock they share, what the user says, the
// durations, the times of the files; and how sure that is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/frames/recorded_frames.h"
#include "core/join/frame_join.h"

namespace faultline {

struct JoinPlace {
  JoinOptions options;
  std::string how;  // a sentence
};

struct JoinInput {
  const FrameTimes& log;
  std::filesystem::path logFile;
  const RecordedFrames& recorded;
  std::filesystem::path recordingFile;
  std::string anchor;  // when the log begins: "1.5s" or "-1.5s" after the recording does, or local time; empty: find it
};

// Error: the place is not known and cannot be found; says what to do.
[[nodiscard]] Result<JoinPlace> placeLog(const JoinInput& input);

}  // namespace faultline

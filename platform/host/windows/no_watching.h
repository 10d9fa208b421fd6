// The error of all functions that watch games, on Windows.
#pragma once

namespace faultline {

inline constexpr const char* kNoWatching =
    "Faultline cannot watch the frames of games on Windows yet. 'faultline-cli record' measures the whole process.";

}  // namespace faultline

// The call stacks of the page faults of any process, for `faultline-cli record --stacks`.
#pragma once

#include <cstdint>

#include "app/cli/frames/files.h"
#include "app/cli/stream/common_options.h"

namespace faultline {

// Writes those of a process to the files at the end: when the process ends, by Ctrl-C, or after `duration`, if that is
// not 0. Returns the exit code.
[[nodiscard]] int recordStacks(const CommonOptions& common, std::uint32_t pid, Nanoseconds duration, FrameFiles files);

}  // namespace faultline

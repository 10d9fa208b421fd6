// The call stacks of the page faults of any process, for `faultline-cli record --stacks`.
#pragma once

#include "app/cli/commands/command.h"

namespace faultline {

struct RecordedStacks {
  std::uint32_t pid = 0;
  Nanoseconds duration{0};  // 0: until the process ends, or Ctrl-C
  FrameFileNames files;
};

// Returns the exit code.
[[nodiscard]] int recordStacks(const CommonOptions& common, const RecordedStacks& options);

}  // namespace faultline

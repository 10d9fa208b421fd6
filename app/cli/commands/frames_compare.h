// `faultline-cli frames compare`: the frames of two runs.
#pragma once

#include "app/cli/commands/command.h"

namespace faultline {

[[nodiscard]] CLI::App* addFramesCompare(CLI::App& frames, Commands& commands);

}  // namespace faultline

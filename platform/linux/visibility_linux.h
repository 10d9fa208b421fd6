// Which processes cannot be seen from here, in one sentence for a person, empty if all can; and what would show them.
#pragma once

#include <string>

#include "platform/linux/bpf_obstacle_linux.h"
#include "platform/linux/proc_files_linux.h"

namespace faultline {

[[nodiscard]] Obstacle describeVisibility(ProcFiles& files, const std::string& root);

}  // namespace faultline

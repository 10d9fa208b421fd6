// Which processes cannot be seen from here, in one sentence for a person; empty if all can.
#pragma once

#include <string>

#include "platform/linux/proc_files_linux.h"

namespace faultline {

[[nodiscard]] std::string describeVisibility(ProcFiles& files, const std::string& root);

}  // namespace faultline

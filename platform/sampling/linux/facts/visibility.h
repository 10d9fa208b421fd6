// A sentence about the processes that cannot be seen, and the remedy; both empty if all can be seen.
#pragma once

#include <string>

#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

[[nodiscard]] Unavailable describeVisibility(ProcFiles& files, const std::string& root);

}  // namespace faultline

// Which processes cannot be seen from here, in one sentence for a person, empty if all can; and what would show them.
#pragma once

#include <string>

#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

[[nodiscard]] Unavailable describeVisibility(ProcFiles& files, const std::string& root);

}  // namespace faultline

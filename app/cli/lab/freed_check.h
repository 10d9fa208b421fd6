// Whether memory that a process touched and gave back is counted as freed: asked of the monitor itself.
#pragma once

#include "app/cli/stream/common_options.h"
#include "core/lab/report.h"
#include "platform/host/wait.h"

namespace faultline {

// Sets report.freed, or the reason why it cannot be told: a process of its own gives memory back while a collector
// counts, because a collector beside the other phases would take their time.
void checkFreed(const CommonOptions& common, LabReport& report, const Interrupt& interrupt);

}  // namespace faultline

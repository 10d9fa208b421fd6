// Runs an experiment in a process of its own, which ends with this one, and has a collector count its page faults.
#pragma once

#include <optional>
#include <string>

#include "app/cli/lab/experiment.h"
#include "app/cli/stream/common_options.h"
#include "core/base/result.h"
#include "core/lab/report.h"
#include "core/model/hello.h"
#include "platform/host/signals.h"

namespace faultline {

struct LabEnd {
  bool interrupted = false;
  LabReport report{};
  std::optional<Machine> machine{};  // absent: no collector told it
};

// `lanes`: each way runs once, and all page faults are seen (see LabTrace); `trace`: the file for them, or empty.
// Error: memory is short, or the experiment's process failed. All that an experiment changes, such as limits and
// settings, belongs to its process and ends with it.
[[nodiscard]] Result<LabEnd> runExperiment(const LabExperiment& experiment, bool quick, const CommonOptions& common,
                                           Signals& signals, bool lanes = false, const std::string& trace = {});

}  // namespace faultline

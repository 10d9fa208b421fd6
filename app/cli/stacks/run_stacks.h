// RunStacks: reads the call stacks of the page faults of one run of `faultline-cli stat --stacks` or `guard`, of the
// run's first process. Its collector is a child of this process and no process of the run.
#pragma once

#include <optional>

#include "app/cli/stacks/fault_watch.h"
#include "core/stat/sites.h"
#include "platform/host/trial/run.h"

namespace faultline {

// Of a watch that has ended.
[[nodiscard]] CallSites callSitesOf(FaultWatch& watch);

class RunStacks {
 public:
  // `faults`: that the run is expected to have. Of many, every 16th is taken.
  RunStacks(const CommonOptions& common, double faults);
  RunStacks(const RunStacks&) = delete;
  RunStacks& operator=(const RunStacks&) = delete;

  [[nodiscard]] TrialWatch watch();  // refers to this object
  // After the run.
  [[nodiscard]] CallSites finish(const Interrupt& interrupt);

 private:
  const CommonOptions& m_common;
  SampleMode m_mode;
  std::optional<FaultWatch> m_watch;
};

}  // namespace faultline

// RunStacks: reads the call stacks of the page faults of one run of `faultline-cli stat --stacks` or `guard`, of the
// run's first process and, on request, of those that it starts, from the moment on that they are seen. The collectors
// are children of this process and no processes of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/cli/stacks/fault_watch.h"
#include "core/stat/sites.h"
#include "platform/host/trial/run.h"

namespace faultline {

using FaultWatches = std::vector<std::unique_ptr<FaultWatch>>;

// Of watches that have ended: of a process, and of others.
[[nodiscard]] CallSites callSitesOf(FaultWatch& watch, const FaultWatches& others = {});

class RunStacks {
 public:
  // `faults`: that the run is expected to have. Of many, every 16th is taken. `family`: also of what it starts.
  RunStacks(const CommonOptions& common, double faults, bool family);
  RunStacks(const RunStacks&) = delete;
  RunStacks& operator=(const RunStacks&) = delete;

  [[nodiscard]] TrialWatch watch();  // refers to this object
  // After the run.
  [[nodiscard]] CallSites finish(const Interrupt& interrupt);

 private:
  using Steady = std::chrono::steady_clock;

  [[nodiscard]] FaultWatchOptions optionsFor(std::uint32_t pid, bool started) const;
  [[nodiscard]] std::optional<Nanoseconds> pause() const;
  void step();
  void look();

  const CommonOptions& m_common;
  SampleMode m_mode;
  bool m_family;
  std::uint32_t m_pid = 0;
  std::optional<FaultWatch> m_watch;
  FaultWatches m_others;
  std::set<std::uint32_t> m_seen;
  std::set<std::uint32_t> m_taken;  // of these, those of m_others
  Steady::time_point m_lookAt{};
};

}  // namespace faultline

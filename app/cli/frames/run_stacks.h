// RunStacks: reads the call stacks of the page faults of one run of `faultline-cli stat --stacks` or `guard`, of the
// run's first process. Its collector is a child of this process and no process of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/frames/polled_game.h"
#include "app/cli/frames/watched_stacks.h"
#include "core/culprits/sample_store.h"
#include "core/stat/sites.h"
#include "platform/host/trial/run.h"

namespace faultline {

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
  using Steady = std::chrono::steady_clock;

  [[nodiscard]] TrialWish step();
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  void keep(const FaultSample& sample);
  [[nodiscard]] CallSites read();

  const CommonOptions& m_common;
  SampleMode m_mode;
  std::optional<PolledGame> m_game;
  WatchedStacks m_stacks;
  std::optional<WatchedGame> m_watched;
  SampleStore m_store;
  std::vector<PackedSample> m_samples;
  std::uint64_t m_every = 1;  // one of so many samples is kept
  std::uint64_t m_seen = 0;
  std::uint64_t m_lost = 0;
  std::string m_failure;
};

}  // namespace faultline

// One run of a program, with a remedy or without, and what goes on beside it. All processes of the run end with it:
// when the program ends, when the run is cancelled, and when this process dies, however it dies.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trial/remedy.h"
#include "core/trial/sample.h"
#include "platform/host/wait.h"

namespace faultline {

enum class TrialOutput {
  Kept,  // hashed, its beginning kept; on Linux
  Dropped,
  Shown,  // on standard error of this process
};

struct TrialCommand {
  std::vector<std::string> words;  // the program, searched in PATH, and its arguments
  Remedy remedy{};                 // added to the environment of this process
  std::filesystem::path input{};   // becomes standard input; empty: standard input is empty
  bool showErrors = false;         // standard error is that of this process; else it is dropped
  TrialOutput output = TrialOutput::Kept;
  bool countsAll = false;  // also processes that nobody waits for, and peak commit, by samples beside the run
};

enum class TrialWish {
  Hold,  // the program may stand still
  Run,
  End,  // as if cancelled, but with a sample
};

// The work of this process while the program runs. The program stands still, with its libraries mapped, until
// `step` no longer wishes to hold it; a program that gains rights when it is executed runs at once. No process of the
// watch is one of the run.
struct TrialWatch {
  std::function<void(std::uint32_t pid)> begin;
  std::function<WaitHandle()> ready;
  std::function<std::optional<Nanoseconds>()> pause;  // until `step` is due though nothing is ready; absent: never
  std::function<TrialWish()> step;
};

// Absent: cancelled. The processes are asked to end (SIGTERM) and killed after a second; on Windows they are killed.
// Error: the program was not started, with the system's reason; or the run could not be observed; or output was to be
// kept on Windows. `watch`: may be null.
[[nodiscard]] Result<std::optional<TrialSample>> runTrial(const TrialCommand& command, const Interrupt& cancel,
                                                          const TrialWatch* watch = nullptr);

}  // namespace faultline

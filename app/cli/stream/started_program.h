// StartedProgram: the PROGRAM of a command. Signals to this process are passed to PROGRAM, and the exit code of PROGRAM
// becomes that of this process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/host/child_process.h"
#include "platform/host/signals.h"

namespace faultline {

class StartedProgram {
 public:
  // The first word is the program. `quietOutput` redirects its standard output to standard error. Error: not started.
  // `held`: the program stands still once its libraries are mapped, until release(), where the system can do that.
  [[nodiscard]] static Result<StartedProgram> start(const std::vector<std::string>& words, bool quietOutput,
                                                    bool held = false);
  [[nodiscard]] bool held() const { return m_child.held(); }
  void release() { m_child.release(); }

  [[nodiscard]] std::uint32_t pid() const { return m_child.pid(); }
  [[nodiscard]] WaitHandle ended() const { return m_child.ended(); }

  // Interrupt or Terminate. The first signal goes to the program; the second abandons the program, which runs on.
  void pass(Signal signal);
  [[nodiscard]] bool abandoned() const { return m_abandoned; }
  // Waits until the program has ended or is abandoned, and passes signals meanwhile.
  void waitFor(Signals& signals);
  // After waitFor(): the exit code as a shell reports it, or kInterrupted if the program was abandoned.
  [[nodiscard]] int exitCode();

 private:
  explicit StartedProgram(ChildProcess child) : m_child(std::move(child)) {}

  ChildProcess m_child;
  bool m_signalled = false;
  bool m_abandoned = false;
};

}  // namespace faultline

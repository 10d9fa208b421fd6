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
  // `held`: the program stands still once its libraries are mapped, until release(), where the system can do that. Its
  // loader has `loaderPatience` for that, and no longer than until the interrupt.
  struct Hold {
    Nanoseconds loaderPatience;
    Interrupt interrupt;
  };
  [[nodiscard]] static Result<StartedProgram> start(const std::vector<std::string>& words, bool quietOutput,
                                                    const std::optional<Hold>& held = std::nullopt);
  [[nodiscard]] bool held() const { return m_child.held(); }
  void release() { m_child.release(); }

  [[nodiscard]] std::uint32_t pid() const { return m_child.pid(); }
  [[nodiscard]] WaitHandle ended() const { return m_child.ended(); }

  // Interrupt or Terminate. The first signal goes to the program; the second abandons the program, which runs on.
  void pass(Signal signal);
  [[nodiscard]] bool abandoned() const { return m_abandoned; }
  // Waits until the program has ended or is abandoned, and passes signals meanwhile.
  void waitFor(Signals& signals);
  // After waitFor(): the exit code as a shell reports it, or kInterrupted if the program was abandoned. Complains if
  // the system does not tell how the program ended.
  [[nodiscard]] int exitCode();

 private:
  StartedProgram(ChildProcess child, std::string name) : m_child(std::move(child)), m_name(std::move(name)) {}

  ChildProcess m_child;
  std::string m_name;
  bool m_signalled = false;
  bool m_abandoned = false;
};

}  // namespace faultline

#include "app/cli/stream/started_program.h"

#include <array>

#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"

namespace faultline {

Result<StartedProgram> StartedProgram::start(const std::vector<std::string>& words, bool quietOutput,
                                             const std::optional<Hold>& held) {
  ChildCommand command{.program = pathFromUtf8(words.front()),
                       .arguments = {words.begin() + 1, words.end()},
                       .output = quietOutput ? ChildStream::ToStandardError : ChildStream::Inherit,
                       .held = held.has_value()};
  if (held) {
    command.loaderPatience = held->loaderPatience;
    command.interrupt = held->interrupt;
  }
  auto child = ChildProcess::start(command);
  if (!child) return tl::unexpected(child.error());
  return StartedProgram(std::move(*child), printableName(words.front()));
}

// Interrupt is not forwarded: the terminal sends Ctrl-C to the program as well.
void StartedProgram::pass(Signal signal) {
  if (m_signalled) {
    m_child.detach();
    m_abandoned = true;
  } else if (signal == Signal::Terminate) {
    m_child.terminate();
  }
  m_signalled = true;
}

void StartedProgram::waitFor(Signals& signals) {
  while (!m_abandoned) {
    const std::array handles{ended(), signals.ready()};
    if ((waitAny(handles, std::nullopt) & 1U) != 0) return;
    while (const auto signal = signals.next()) {
      if (*signal == Signal::Suspend) suspendSelf();
      else if (*signal != Signal::Resize) pass(*signal);
    }
  }
}

int StartedProgram::exitCode() {
  if (m_abandoned) return ExitCode::kInterrupted;
  const ExitStatus status = m_child.wait();
  if (!status.known) complain("How " + m_name + " ended is unknown: the system has not told it.");
  return status.shellCode();
}

}  // namespace faultline

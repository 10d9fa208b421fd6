#include "app/cli/stream/started_program.h"

#include <array>

#include "app/cli/text/exit_code.h"
#include "core/base/file_name.h"

namespace faultline {

Result<StartedProgram> StartedProgram::start(const std::vector<std::string>& words, bool quietOutput, bool held) {
  auto child = ChildProcess::start({.program = pathFromUtf8(words.front()),
                                    .arguments = {words.begin() + 1, words.end()},
                                    .output = quietOutput ? ChildStream::ToStandardError : ChildStream::Inherit,
                                    .held = held});
  if (!child) return tl::unexpected(child.error());
  return StartedProgram(std::move(*child));
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
  return m_abandoned ? ExitCode::kInterrupted : m_child.wait().shellCode();
}

}  // namespace faultline

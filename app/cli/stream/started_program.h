// StartedProgram: the program that a command was asked to run, which gets the wishes that reach us instead of it, and
// whose exit code becomes ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/host/child_process.h"
#include "platform/host/signals.h"

namespace faultline {

class StartedProgram {
 public:
  // The first word is the program. `quietOutput`: what it prints goes to standard error, as ours is data.
  [[nodiscard]] static Result<StartedProgram> start(const std::vector<std::string>& words, bool quietOutput);

  [[nodiscard]] std::uint32_t pid() const { return m_child.pid(); }
  [[nodiscard]] WaitHandle ended() const { return m_child.ended(); }

  // Interrupt or Terminate. The first one is the program's; from the second on we leave without it.
  void pass(Signal signal);
  [[nodiscard]] bool abandoned() const { return m_abandoned; }
  // Until it has ended or is abandoned.
  void waitFor(Signals& signals);
  // After waitFor(): as a shell tells it, or that we were interrupted.
  [[nodiscard]] int exitCode();

 private:
  explicit StartedProgram(ChildProcess child) : m_child(std::move(child)) {}

  ChildProcess m_child;
  bool m_told = false;
  bool m_abandoned = false;
};

}  // namespace faultline

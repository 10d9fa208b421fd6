// ChildProcess: a child process. The child inherits only its three standard streams. Errors name the program and the
// system's reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/watch/collector_end.h"
#include "platform/host/wait.h"

namespace faultline {

enum class ChildStream { Inherit, Pipe, ToStandardError };

struct ChildCommand {
  std::filesystem::path program;  // without a folder: searched in PATH
  std::vector<std::string> arguments;
  ChildStream output = ChildStream::Inherit;
  ChildStream errors = ChildStream::Inherit;
  bool quietInput = false;  // standard input is empty instead of inherited
  bool held = false;        // stands still with its libraries mapped, until release(); where the system can (Linux)
  bool ownGroup = false;    // own process group: Ctrl-C in the terminal does not reach the child
  // A held child whose loader takes longer than that, or until the interrupt, runs on instead.
  Nanoseconds loaderPatience = std::chrono::seconds(10);
  Interrupt interrupt{};
};

struct ExitStatus {
  int code = 0;
  int signal = 0;     // the signal that killed the process, or 0; always 0 on Windows
  bool known = true;  // false: the system has kept no status for this process

  bool operator==(const ExitStatus&) const = default;
  [[nodiscard]] int shellCode() const { return !known ? kUnknownCode : signal == 0 ? code : 128 + signal; }
  static constexpr int kUnknownCode = 1;  // not 0: an unknown end is no success
};

// "signal 9 (Killed)"
[[nodiscard]] std::string signalText(int signal);
// The predicate of a sentence: "ended with code 3", "was killed by signal 9 (Killed)".
[[nodiscard]] inline std::string howEnded(const ExitStatus& status) {
  if (!status.known) return "ended in a way that the system has not told";
  return status.signal != 0 ? "was killed by " + signalText(status.signal) : endedWith(status.code);
}

class ChildProcess {
 public:
  [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command);

  // Unless the child ended or was let go: closes the pipes, calls terminate(), and kills the child after 3 s (Windows:
  // after 1 s). A child that the system does not let end within 3 s more is left.
  ~ChildProcess();
  ChildProcess(ChildProcess&&) noexcept = default;
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(m_state, other.m_state);
    return *this;
  }

  // Ready when a read would not block. A read blocks until there is data, and returns 0 at the end.
  [[nodiscard]] WaitHandle outputReady() const;
  [[nodiscard]] WaitHandle errorsReady() const;
  [[nodiscard]] std::size_t readOutput(std::span<std::byte> buffer);
  [[nodiscard]] std::size_t readErrors(std::span<std::byte> buffer);

  [[nodiscard]] WaitHandle ended() const;  // ready once the child has ended
  [[nodiscard]] std::uint32_t pid() const;
  [[nodiscard]] bool held() const;
  void release();                   // lets a held child run; only by the thread that started it
  void terminate();                 // asks the child to end (SIGTERM, or its likes on Windows)
  void ask();                       // SIGUSR1, where the child waits for it; on Windows nothing
  [[nodiscard]] ExitStatus wait();  // hears no signal: where the child may run for long, wait for ended() before
  [[nodiscard]] std::optional<ExitStatus> waitFor(Nanoseconds timeout);  // absent: still running
  void detach();                                                         // the destructor leaves the child running

 private:
  struct State;
  explicit ChildProcess(Hidden<State> state) : m_state(std::move(state)) {}
  [[nodiscard]] static Result<ChildProcess> startThenHold(const ChildCommand& command);
  Hidden<State> m_state;
};

}  // namespace faultline

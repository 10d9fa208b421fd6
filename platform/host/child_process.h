// ChildProcess: a program that we started. It inherits no handle but its three standard streams.
// Errors are sentences that name the program and the system's reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "platform/host/wait.h"

namespace faultline {

enum class ChildStream { Inherit, Pipe, ToStandardError };

struct ChildCommand {
  std::filesystem::path program;  // without a folder it is looked up as a shell does
  std::vector<std::string> arguments;
  ChildStream output = ChildStream::Inherit;
  ChildStream errors = ChildStream::Inherit;
  bool quietInput = false;  // reads nothing instead of our own input
  bool ownGroup = false;    // Ctrl-C in our terminal does not reach it
};

// How it ended: by exit(code), or killed by a signal; Windows knows only codes.
struct ExitStatus {
  int code = 0;
  int signal = 0;

  bool operator==(const ExitStatus&) const = default;
  [[nodiscard]] int shellCode() const { return signal == 0 ? code : 128 + signal; }
};

class ChildProcess {
 public:
  [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command);

  // Unless it ended or was let go: closes our ends of its pipes, asks it to end, insists after a second.
  ~ChildProcess();
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;

  // Ready when a read would not block; reading blocks until there is something, and gives 0 at the end.
  [[nodiscard]] WaitHandle outputReady() const;
  [[nodiscard]] WaitHandle errorsReady() const;
  [[nodiscard]] std::size_t readOutput(std::span<std::byte> buffer);
  [[nodiscard]] std::size_t readErrors(std::span<std::byte> buffer);

  [[nodiscard]] WaitHandle ended() const;  // ready once wait() would not block
  [[nodiscard]] std::uint32_t pid() const;
  void terminate();  // asks it to end
  [[nodiscard]] ExitStatus wait();
  [[nodiscard]] std::optional<ExitStatus> waitFor(Nanoseconds timeout);
  void letGo();  // it may outlive us

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace faultline

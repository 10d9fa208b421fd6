#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <utility>

#include "platform/sampling/posix/outlet.h"

namespace faultline {
namespace {

// Signals as a descriptor that becomes readable.
class SignalFile {
 public:
  explicit SignalFile(std::initializer_list<int> which) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : which) sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    m_file = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~SignalFile() { close(m_file); }
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  [[nodiscard]] int file() const { return m_file; }

 private:
  int m_file;
};

class StandardOutlet final : public Outlet {
 public:
  StandardOutlet(const Clock& clock, bool patient)
      : m_output(STDOUT_FILENO, m_stop.file(), clock, patient, m_asked.file()) {
    std::signal(SIGPIPE, SIG_IGN);  // write() fails with EPIPE instead
  }

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override { return m_output.send(packet); }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override { return m_output.waitUntil(deadline); }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return m_output.waitForRoom(deadline); }
  void serve(Errand errand) override { m_output.serve(std::move(errand)); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override { return m_output.finish(packet); }

 private:
  SignalFile m_stop{SIGINT, SIGTERM, SIGHUP};
  SignalFile m_asked{SIGUSR1};
  FdOutlet m_output;
};

}  // namespace

Result<std::unique_ptr<Outlet>> makeStandardOutlet(const Clock& clock, bool patient) {
  if (isatty(STDOUT_FILENO) != 0) {
    return fail(
        "Standard output is a terminal, and the stream is binary. Use faultline-cli, or redirect standard output to a "
        "file or a pipe.");
  }
  return std::make_unique<StandardOutlet>(clock, patient);
}

}  // namespace faultline

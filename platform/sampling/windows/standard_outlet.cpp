#include "platform/sampling/windows/handle_outlet.h"
#include "platform/system/windows/stop_event.h"

namespace faultline {
namespace {

// Ctrl-C, Ctrl-Break, a console that is closed, a user who logs off: all of them come as a call in a thread of the
// system's own, which ends the program when it returns from the latter two. The event is found by its name, since there
// is nothing else that such a call could know.
BOOL WINAPI stopAtConsoleEvent(DWORD event) {
  if (!askToStop(::GetCurrentProcessId())) return FALSE;
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
    ::Sleep(INFINITE);  // until main() returns, or 5 s have passed
  return TRUE;
}

class StandardOutlet final : public Outlet {
 public:
  StandardOutlet(HANDLE output, const Clock& clock, bool patient)
      : m_stop(makeStopEvent()), m_output(output, m_stop.get(), clock, patient) {
    ::SetConsoleCtrlHandler(stopAtConsoleEvent, TRUE);
  }
  ~StandardOutlet() override { ::SetConsoleCtrlHandler(stopAtConsoleEvent, FALSE); }
  StandardOutlet(const StandardOutlet&) = delete;
  StandardOutlet& operator=(const StandardOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> frame) override { return m_output.send(frame); }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override { return m_output.waitUntil(deadline); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> frame) override { return m_output.finish(frame); }

 private:
  UniqueHandle m_stop;
  HandleOutlet m_output;
};

}  // namespace

Result<std::unique_ptr<Outlet>> makeStandardOutlet(const Clock& clock, bool patient) {
  const HANDLE output = ::GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  if (::GetConsoleMode(output, &mode) != 0) {
    return fail(
        "The stream is binary and this is a console. Use faultline-cli to look at it, or send it to a file or a pipe.");
  }
  return std::make_unique<StandardOutlet>(output, clock, patient);
}

}  // namespace faultline

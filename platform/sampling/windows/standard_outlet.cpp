#include <windows.h>
#include <winternl.h>

#include <array>

#include "platform/sampling/windows/handle_outlet.h"
#include "platform/system/windows/library_function.h"
#include "platform/system/windows/stop_event.h"

namespace faultline {
namespace {

// Windows calls the handler in a thread of its own for Ctrl-C, Ctrl-Break, a closed console and a logoff. After the
// last two Windows ends the program when the handler returns. The stop event is found by its name, because the handler
// gets no argument.
BOOL WINAPI stopAtConsoleEvent(DWORD event) {
  if (!askToStop(::GetCurrentProcessId())) return FALSE;
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
    ::Sleep(INFINITE);  // until main() returns; Windows waits at most 5 s
  return TRUE;
}

FILETIME startOf(HANDLE process) {
  FILETIME start{};
  FILETIME unused{};
  ::GetProcessTimes(process, &start, &unused, &unused, &unused);
  return start;
}

// The process that started this one; null if it has ended. A pid is reused, but its new process is younger.
UniqueHandle openParent() {
  struct BasicInformation {  // PROCESS_BASIC_INFORMATION, whose last field mingw calls reserved
    std::array<ULONG_PTR, 5> others;
    ULONG_PTR parent;
  } basic{};
  using Query = LONG WINAPI(HANDLE, ULONG, void*, ULONG, ULONG*);
  auto* const query = libraryFunction<Query>(L"ntdll", "NtQueryInformationProcess");
  if (query == nullptr || query(::GetCurrentProcess(), ProcessBasicInformation, &basic, sizeof basic, nullptr) < 0)
    return {};
  UniqueHandle parent(
      ::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(basic.parent)));
  const FILETIME ours = startOf(::GetCurrentProcess());
  const FILETIME theirs = parent ? startOf(parent.get()) : ours;
  return ::CompareFileTime(&theirs, &ours) < 0 ? std::move(parent) : UniqueHandle();
}

class StandardOutlet final : public Outlet {
 public:
  StandardOutlet(HANDLE output, const Clock& clock, bool patient)
      : m_stop(makeStopEvent()), m_output(output, m_stop.get(), clock, patient, openParent()) {
    ::SetConsoleCtrlHandler(stopAtConsoleEvent, TRUE);
  }
  ~StandardOutlet() override { ::SetConsoleCtrlHandler(stopAtConsoleEvent, FALSE); }
  StandardOutlet(const StandardOutlet&) = delete;
  StandardOutlet& operator=(const StandardOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override { return m_output.send(packet); }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override { return m_output.waitUntil(deadline); }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return m_output.waitForRoom(deadline); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override { return m_output.finish(packet); }

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
        "Standard output is a console, and the stream is binary. Use faultline-cli, or redirect standard output to a "
        "file or a pipe.");
  }
  return std::make_unique<StandardOutlet>(output, clock, patient);
}

}  // namespace faultline

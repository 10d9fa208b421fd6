#include "platform/sampling/windows/watch/present_mon.h"

#include <array>
#include <cstddef>
// after windows.h
#include <evntrace.h>

#include "platform/system/windows/library_function.h"

namespace faultline {
namespace {

constexpr DWORD kPatienceMs = 700;  // a reader ends a collector that takes a second
constexpr std::size_t kMostErrors = 4096;
constexpr int kMostSessions = 8;

struct Session {
  UniqueHandle slot;
  std::wstring name;
};

// Two programs cannot trace by the same name. A session outlives a PresentMon that was killed, and the next one of its
// name stops it: so there are few names.
std::optional<Session> takeSession() {
  for (int number = 1; number <= kMostSessions; ++number) {
    const std::wstring name = L"Faultline-" + std::to_wstring(number);
    UniqueHandle slot(::CreateMutexW(nullptr, FALSE, (L"Local\\faultline-session-" + name).c_str()));
    if (!slot) continue;
    const DWORD taken = ::WaitForSingleObject(slot.get(), 0);
    if (taken == WAIT_OBJECT_0 || taken == WAIT_ABANDONED) return Session{std::move(slot), name};
  }
  return std::nullopt;
}

// False: Windows refuses, or there is no such session.
bool stopSession(const std::wstring& name) {
  using Control = ULONG WINAPI(TRACEHANDLE, LPCWSTR, EVENT_TRACE_PROPERTIES*, ULONG);
  constexpr std::size_t kNameSize = 1024;
  auto* const control = libraryFunction<Control>(L"advapi32", "ControlTraceW");
  if (control == nullptr) return false;
  struct {
    EVENT_TRACE_PROPERTIES properties;
    std::array<wchar_t, kNameSize> name;
  } stop{};
  stop.properties.Wnode.BufferSize = sizeof stop;
  stop.properties.LoggerNameOffset = static_cast<ULONG>(offsetof(decltype(stop), name));
  return control(0, name.c_str(), &stop.properties, EVENT_TRACE_CONTROL_STOP) == ERROR_SUCCESS;
}

struct Pipe {
  UniqueHandle ours;
  UniqueHandle theirs;
};

Pipe makePipe() {
  constexpr DWORD kSize = 1U << 20U;  // seconds of frames
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  HANDLE reading = nullptr;
  HANDLE writing = nullptr;
  if (::CreatePipe(&reading, &writing, &inherited, kSize) == 0) return {};
  ::SetHandleInformation(reading, HANDLE_FLAG_INHERIT, 0);
  return {UniqueHandle(reading), UniqueHandle(writing)};
}

std::string readAvailable(const UniqueHandle& pipe) {
  DWORD available = 0;
  if (::PeekNamedPipe(pipe.get(), nullptr, 0, nullptr, &available, nullptr) == 0 || available == 0) return {};
  std::string text(available, '\0');
  DWORD got = 0;
  if (::ReadFile(pipe.get(), text.data(), available, &got, nullptr) == 0) return {};
  text.resize(got);
  return text;
}

}  // namespace

Result<PresentMon> PresentMon::start(const std::filesystem::path& program, std::uint32_t pid) {
  const std::string name = toUtf8(program.native());
  if (!program.is_absolute()) return fail("The path of PresentMon must be absolute, not '" + name + "'.");
  auto session = takeSession();
  if (!session) return fail("Faultline traces eight games by PresentMon already. Close one of them.");
  PresentMon made;
  made.m_slot = std::move(session->slot);
  made.m_session = std::move(session->name);
  made.m_job = makeJob();
  Pipe output = makePipe();
  Pipe errors = makePipe();
  if (!made.m_job || !output.ours || !errors.ours)
    return fail("PresentMon cannot be started: " + reasonOf(::GetLastError()) + ".");
  made.m_output = std::move(output.ours);
  made.m_errors = std::move(errors.ours);
  // Options that 1.x and 2.x have both.
  const std::wstring line = L"\"" + program.native() + L"\" -process_id " + std::to_wstring(pid) +
                            L" -output_stdout -qpc_time -terminate_on_proc_exit -stop_existing_session -session_name " +
                            made.m_session;
  const std::array streams{emptyStream(), std::move(output.theirs), std::move(errors.theirs)};
  auto child = spawn(program.native(), line, streams, true, made.m_job.get());
  if (!child) return fail("PresentMon (" + name + ") cannot be started: " + child.error().message + ".");
  ::ResumeThread(std::exchange(child->thread, {}).get());
  made.m_child = std::move(*child);
  return made;
}

PresentMon::~PresentMon() {
  if (!m_child.process) return;
  const HANDLE child = m_child.process.get();
  if (::WaitForSingleObject(child, 0) == WAIT_OBJECT_0) return;
  m_output.reset();
  m_errors.reset();
  // Without a console in common it cannot be asked, but ends with its session.
  const bool asked = ::GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, m_child.pid) != 0 || stopSession(m_session);
  if (asked && ::WaitForSingleObject(child, kPatienceMs) == WAIT_OBJECT_0) return;
  ::TerminateJobObject(m_job.get(), 1);
  static_cast<void>(stopSession(m_session));
}

std::string PresentMon::read() {
  if (m_errorText.size() < kMostErrors) m_errorText += readAvailable(m_errors);
  return readAvailable(m_output);
}

std::optional<DWORD> PresentMon::exited() {
  DWORD code = 0;
  if (::WaitForSingleObject(m_child.process.get(), 0) != WAIT_OBJECT_0) return std::nullopt;
  ::GetExitCodeProcess(m_child.process.get(), &code);
  return code;
}

const std::string& PresentMon::errors() {
  return m_errorText;
}

}  // namespace faultline

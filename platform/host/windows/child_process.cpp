#include "platform/host/child_process.h"

#include <windows.h>

#include <array>
#include <string>

#include "platform/host/windows/invocation.h"
#include "platform/host/windows/pipe_reader.h"
#include "platform/system/windows/spawn.h"
#include "platform/system/windows/stop_event.h"
#include "platform/system/windows/system_text.h"

namespace faultline {

struct ChildProcess::State {
  Spawned child;
  std::unique_ptr<PipeReader> output;
  std::unique_ptr<PipeReader> errors;
  std::optional<ExitStatus> status;
  bool ownGroup = false;
  bool detach = false;
};

namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPatience = 1s;
constexpr UINT kAsIfByCtrlC = 0xC000013A;  // STATUS_CONTROL_C_EXIT

Result<UniqueHandle> streamFor(ChildStream kind, DWORD ours, std::unique_ptr<PipeReader>& reader) {
  if (kind != ChildStream::Pipe) return inheritedStream(kind == ChildStream::ToStandardError ? STD_ERROR_HANDLE : ours);
  UniqueHandle theirs;
  auto made = PipeReader::make(theirs);
  if (!made) return tl::unexpected(made.error());
  reader = std::move(*made);
  return theirs;
}

// Sends WM_CLOSE to the windows of the process, as taskkill does. True if there was a window.
bool askItsWindows(DWORD pid) {
  struct Search {
    DWORD pid;
    bool asked;
  } search{pid, false};
  const auto ask = [](HWND window, LPARAM context) -> BOOL {
    auto& found = *reinterpret_cast<Search*>(context);
    DWORD owner = 0;
    ::GetWindowThreadProcessId(window, &owner);
    if (owner == found.pid && ::PostMessageW(window, WM_CLOSE, 0, 0) != 0) found.asked = true;
    return TRUE;
  };
  ::EnumWindows(ask, reinterpret_cast<LPARAM>(&search));
  return search.asked;
}

WaitHandle waitable(HANDLE handle) {
  return reinterpret_cast<WaitHandle>(handle);
}

}  // namespace

std::string signalText(int signal) {
  return "signal " + std::to_string(signal);
}

Result<ChildProcess> ChildProcess::start(const ChildCommand& command) {
  auto state = makeHidden<State>();
  const auto invocation = invocationOf(command.program, command.arguments);
  if (!invocation) return tl::unexpected(invocation.error());
  auto output = streamFor(command.output, STD_OUTPUT_HANDLE, state->output);
  auto errors = streamFor(command.errors, STD_ERROR_HANDLE, state->errors);
  if (!output) return tl::unexpected(output.error());
  if (!errors) return tl::unexpected(errors.error());
  const std::array streams{command.quietInput ? emptyStream() : inheritedStream(STD_INPUT_HANDLE), std::move(*output),
                           std::move(*errors)};
  auto child = spawn(invocation->program, invocation->line, streams, command.ownGroup);
  if (!child) return fail(toUtf8(command.program.native()) + " could not be started: " + child.error().message + ".");
  state->child = std::move(*child);
  state->ownGroup = command.ownGroup;
  return ChildProcess(std::move(state));
}

ChildProcess::~ChildProcess() {
  if (!m_state || m_state->status || m_state->detach) return;
  m_state->output.reset();
  m_state->errors.reset();
  terminate();
  if (waitFor(kPatience)) return;
  ::TerminateProcess(m_state->child.process.get(), kAsIfByCtrlC);
  static_cast<void>(wait());
}

WaitHandle ChildProcess::outputReady() const {
  return m_state->output ? waitable(m_state->output->ready()) : kNoHandle;
}
WaitHandle ChildProcess::errorsReady() const {
  return m_state->errors ? waitable(m_state->errors->ready()) : kNoHandle;
}
std::size_t ChildProcess::readOutput(std::span<std::byte> buffer) {
  return m_state->output ? m_state->output->read(buffer) : 0;
}
std::size_t ChildProcess::readErrors(std::span<std::byte> buffer) {
  return m_state->errors ? m_state->errors->read(buffer) : 0;
}
WaitHandle ChildProcess::ended() const {
  return waitable(m_state->child.process.get());
}
std::uint32_t ChildProcess::pid() const {
  return m_state->child.pid;
}

bool ChildProcess::held() const {
  return false;
}
void ChildProcess::release() {}

// A Ctrl-Break to a shared process group would also reach this process and the shell. A child in the shared group that
// has neither a stop event nor a window is therefore killed.
void ChildProcess::terminate() {
  const DWORD pid = m_state->child.pid;
  if (m_state->status || askToStop(pid) || askItsWindows(pid)) return;
  if (m_state->ownGroup && ::GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, pid) != 0) return;
  ::TerminateProcess(m_state->child.process.get(), kAsIfByCtrlC);
}

void ChildProcess::ask() {}

ExitStatus ChildProcess::wait() {
  if (m_state->status) return *m_state->status;
  DWORD code = 0;
  ::WaitForSingleObject(m_state->child.process.get(), INFINITE);
  ::GetExitCodeProcess(m_state->child.process.get(), &code);
  m_state->status = ExitStatus{.code = static_cast<int>(code), .signal = 0};
  return *m_state->status;
}

std::optional<ExitStatus> ChildProcess::waitFor(Nanoseconds timeout) {
  if (m_state->status) return m_state->status;
  const std::array handles{ended()};
  if (waitAny(handles, timeout) == 0) return std::nullopt;
  return wait();
}

void ChildProcess::detach() {
  m_state->detach = true;
}

}  // namespace faultline

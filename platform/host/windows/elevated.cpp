#define _CRT_RAND_S
#include "platform/host/elevated.h"

#include <windows.h>
// after windows.h
#include <sddl.h>
#include <shellapi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "platform/host/nt/command_line.h"
#include "platform/host/programs.h"
#include "platform/system/windows/stream_pipes.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/token.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

constexpr DWORD kPipeRoom = 256U << 10U;
constexpr DWORD kPatienceMs = 1000;  // for the end of a collector that has closed its output
constexpr std::array<DWORD, 3> kDirections{PIPE_ACCESS_OUTBOUND, PIPE_ACCESS_INBOUND, PIPE_ACCESS_INBOUND};

tl::unexpected<Error> failure(const std::string& what) {
  return fail(what + ": " + reasonOf(::GetLastError()) + ".");
}

// Absent: the system has no random numbers.
std::optional<std::string> randomName() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  while (name.size() < kStreamNameLength) {
    unsigned value = 0;
    if (rand_s(&value) != 0) return std::nullopt;
    name += kDigits[value % kDigits.size()];
  }
  return name;
}

// Bytes to and from a pipe or a file, in a thread of its own for each direction.
struct Overlapped {
  UniqueHandle event{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};
  OVERLAPPED state{};

  OVERLAPPED* begin() {
    state = {};
    state.hEvent = event.get();
    return &state;
  }
};

class StreamPipe {
 public:
  static Result<StreamPipe> make(const std::string& name, std::size_t stream, SECURITY_ATTRIBUTES& own) {
    UniqueHandle pipe(::CreateNamedPipeW(streamPipe(name, stream).c_str(),
                                         kDirections.at(stream) | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                         PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                                         1, kPipeRoom, kPipeRoom, 0, &own));
    if (!pipe) return failure("No pipe can be made");
    return StreamPipe(std::move(pipe));
  }

  // False: `collector` (null: none is known) has ended before.
  [[nodiscard]] bool connect(HANDLE collector) {
    if (::ConnectNamedPipe(m_pipe.get(), m_io->begin()) != 0) return true;
    const DWORD error = ::GetLastError();
    // A collector that has ended already: its bytes are still to be read.
    if (error == ERROR_PIPE_CONNECTED || error == ERROR_NO_DATA) return true;
    if (error != ERROR_IO_PENDING) return false;
    const std::array handles{m_io->event.get(), collector};
    const DWORD count = collector != nullptr ? 2 : 1;
    if (::WaitForMultipleObjects(count, handles.data(), FALSE, INFINITE) == WAIT_OBJECT_0) return true;
    ::CancelIoEx(m_pipe.get(), &m_io->state);
    DWORD unused = 0;
    ::GetOverlappedResult(m_pipe.get(), &m_io->state, &unused, TRUE);
    return false;
  }
  [[nodiscard]] ULONG client() const {
    ULONG pid = 0;
    return ::GetNamedPipeClientProcessId(m_pipe.get(), &pid) != 0 ? pid : 0;
  }
  // 0: the other side has ended.
  DWORD read(std::span<std::byte> buffer) {
    DWORD got = 0;
    const bool begun =
        ::ReadFile(m_pipe.get(), buffer.data(), static_cast<DWORD>(buffer.size()), nullptr, m_io->begin()) != 0 ||
        ::GetLastError() == ERROR_IO_PENDING;
    return begun && ::GetOverlappedResult(m_pipe.get(), &m_io->state, &got, TRUE) != 0 ? got : 0;
  }
  bool write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      DWORD sent = 0;
      const bool begun =
          ::WriteFile(m_pipe.get(), bytes.data(), static_cast<DWORD>(bytes.size()), nullptr, m_io->begin()) != 0 ||
          ::GetLastError() == ERROR_IO_PENDING;
      if (!begun || ::GetOverlappedResult(m_pipe.get(), &m_io->state, &sent, TRUE) == 0) return false;
      bytes = bytes.subspan(sent);
    }
    return true;
  }

 private:
  explicit StreamPipe(UniqueHandle pipe) : m_pipe(std::move(pipe)) {}

  UniqueHandle m_pipe;
  std::unique_ptr<Overlapped> m_io = std::make_unique<Overlapped>();  // the system holds its address
};
using StreamPipes = std::vector<StreamPipe>;

Result<StreamPipes> makePipes(const std::string& name) {
  const std::wstring user = userOf(::GetCurrentProcess());
  if (user.empty()) return failure("The user of this process is unknown");
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (::ConvertStringSecurityDescriptorToSecurityDescriptorW((L"D:P(A;;GA;;;" + user + L")").c_str(), SDDL_REVISION_1,
                                                             &descriptor, nullptr) == 0)
    return failure("No rights of pipes can be made");
  const std::unique_ptr<void, FreeLocal> owned(descriptor);
  SECURITY_ATTRIBUTES own{.nLength = sizeof own, .lpSecurityDescriptor = descriptor, .bInheritHandle = FALSE};
  StreamPipes pipes;
  for (std::size_t stream = 0; stream < kStreamPipes.size(); ++stream) {
    auto pipe = StreamPipe::make(name, stream, own);
    if (!pipe) return tl::unexpected(pipe.error());
    pipes.push_back(std::move(*pipe));
  }
  return pipes;
}

// The system asks the user, and starts the collector without a window.
Result<UniqueHandle> startByPrompt(const ElevatedCommand& command, const std::vector<std::string>& arguments) {
  std::string joined;
  for (const std::string& argument : arguments) joined += (joined.empty() ? "" : " ") + quotedArgument(argument);
  const std::wstring words = toWide(joined);
  SHELLEXECUTEINFOW start{};
  start.cbSize = sizeof start;
  start.fMask = SEE_MASK_NOCLOSEPROCESS | SEE_MASK_NOASYNC | SEE_MASK_FLAG_NO_UI;
  start.lpVerb = L"runas";
  start.lpFile = command.collector.c_str();
  start.lpParameters = words.c_str();
  start.nShow = SW_HIDE;
  if (::ShellExecuteExW(&start) != 0 && start.hProcess != nullptr) return UniqueHandle(start.hProcess);
  if (::GetLastError() == ERROR_CANCELLED)
    return fail("The permission was declined. Faultline goes on without the numbers that need it.");
  return failure("The collector cannot be started with an administrator's rights");
}

std::filesystem::path fileOf(HANDLE process) {
  std::wstring path(32'768, L'\0');
  auto size = static_cast<DWORD>(path.size());
  if (::QueryFullProcessImageNameW(process, 0, path.data(), &size) == 0) return {};
  return path.substr(0, size);
}

// Of a collector that was started by hand: the process that connected first, if it runs the collector's file.
Result<UniqueHandle> processOf(ULONG pid, const std::filesystem::path& collector) {
  UniqueHandle process(::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid));
  std::error_code error;
  if (!process || !std::filesystem::equivalent(fileOf(process.get()), collector, error))
    return fail("Process " + std::to_string(pid) + ", which connected, is not " + toUtf8(collector.native()) + ".");
  return process;
}

Result<UniqueHandle> connectCollector(const ElevatedCommand& command, const std::string& name, StreamPipes& pipes) {
  std::vector<std::string> arguments = command.arguments;
  for (const std::string& word :
       {std::string("--streams"), name, std::string("--reader"), std::to_string(::GetCurrentProcessId())})
    arguments.push_back(word);
  UniqueHandle process;
  if (command.byHand) {
    command.tell(commandLine(toUtf8(command.collector.native()), arguments));
  } else {
    auto started = startByPrompt(command, arguments);
    if (!started) return started;
    process = std::move(*started);
  }
  for (StreamPipe& pipe : pipes) {
    if (!pipe.connect(process.get())) {
      DWORD code = 0;
      ::GetExitCodeProcess(process.get(), &code);
      return fail("The collector ended with code " + std::to_string(code) + " before it was connected.");
    }
    if (!process) {
      auto found = processOf(pipe.client(), command.collector);
      if (!found) return found;
      process = std::move(*found);
    }
    if (pipe.client() != ::GetProcessId(process.get()))
      return fail("Process " + std::to_string(pipe.client()) + " took the place of the collector.");
  }
  return process;
}

bool writeAll(HANDLE file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    DWORD sent = 0;
    if (::WriteFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &sent, nullptr) == 0) return false;
    bytes = bytes.subspan(sent);
  }
  return true;
}

// Until the collector ends, or this process's reader leaves.
void passOutput(StreamPipe pipe, DWORD stream) {
  std::vector<std::byte> buffer(kPipeRoom);
  for (DWORD got = pipe.read(buffer); got > 0; got = pipe.read(buffer))
    if (!writeAll(::GetStdHandle(stream), std::span(buffer).first(got))) return;
}

void passInput(StreamPipe pipe) {
  std::array<std::byte, 256> buffer{};
  DWORD got = 0;
  while (::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), buffer.data(), static_cast<DWORD>(buffer.size()), &got,
                    nullptr) != 0 &&
         got > 0)
    if (!pipe.write(std::span(buffer).first(got))) return;
}

}  // namespace

bool canElevate() {
  return !runsAsRoot();
}

Result<int> runElevated(const ElevatedCommand& command) {
  const auto name = randomName();
  if (!name) return fail("The system has no random numbers.");
  auto pipes = makePipes(*name);
  if (!pipes) return tl::unexpected(pipes.error());
  const auto process = connectCollector(command, *name, *pipes);
  if (!process) return tl::unexpected(process.error());
  std::thread(passInput, std::move((*pipes)[0])).detach();  // may wait for input for ever
  std::thread errors(passOutput, std::move((*pipes)[2]), STD_ERROR_HANDLE);
  passOutput(std::move((*pipes)[1]), STD_OUTPUT_HANDLE);  // a collector whose reader is gone ends
  if (::WaitForSingleObject(process->get(), kPatienceMs) != WAIT_OBJECT_0) {
    errors.detach();
    return 0;
  }
  errors.join();
  DWORD code = 0;
  return ::GetExitCodeProcess(process->get(), &code) != 0 ? static_cast<int>(code) : 0;
}

}  // namespace faultline

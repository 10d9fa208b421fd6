#include "platform/host/answers.h"

#include <windows.h>
// after windows.h
#include <sddl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "platform/system/windows/system_text.h"
#include "platform/system/windows/token.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Deadline = std::chrono::steady_clock::time_point;

constexpr auto kClientPatience = 200ms;
constexpr std::size_t kLongestQuestion = 256;
constexpr DWORD kBuffer = 64 << 10;
constexpr auto kNames = std::to_array<std::string_view>({"tray", "serve"});
constexpr char kAnswer = '+';  // the first byte of an answer; of a sentence that says why there is none
constexpr char kRefusal = '-';

std::wstring pipeOf(std::string_view name, const std::wstring& user) {
  return L"\\\\.\\pipe\\faultline-" + toWide(name) + L"-" + user;
}

// Of a pipe that was opened for overlapped calls, each of which ends by the deadline, or when `stop` is set.
class Talk {
 public:
  explicit Talk(HANDLE pipe, HANDLE stop = nullptr) : m_pipe(pipe), m_stop(stop) {}

  bool awaitClient() {
    const BOOL done = ::ConnectNamedPipe(m_pipe, begin());
    return (done == 0 && ::GetLastError() == ERROR_PIPE_CONNECTED) || finish(done, std::nullopt).has_value();
  }
  bool write(std::string_view text, Deadline deadline) {
    while (!text.empty()) {
      const auto most = static_cast<DWORD>(std::min<std::size_t>(text.size(), kBuffer));
      const auto written = finish(::WriteFile(m_pipe, text.data(), most, nullptr, begin()), deadline);
      if (!written || *written == 0) return false;
      text.remove_prefix(*written);
    }
    return true;
  }
  // 0: the other side has ended, or was too slow.
  std::size_t read(char* to, std::size_t size, Deadline deadline) {
    const auto most = static_cast<DWORD>(std::min<std::size_t>(size, kBuffer));
    return finish(::ReadFile(m_pipe, to, most, nullptr, begin()), deadline).value_or(0);
  }

 private:
  OVERLAPPED* begin() {
    m_call = {};
    m_call.hEvent = m_done.get();
    return &m_call;
  }
  // How many bytes; absent: failed. `done`: what the call has returned.
  std::optional<DWORD> finish(BOOL done, std::optional<Deadline> deadline) {
    DWORD bytes = 0;
    if (done == 0 && ::GetLastError() != ERROR_IO_PENDING) return std::nullopt;
    const std::array handles{m_done.get(), m_stop};
    const auto left = deadline ? *deadline - std::chrono::steady_clock::now() : 0ns;
    const auto patience = std::max<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0);
    if (::WaitForMultipleObjects(m_stop == nullptr ? 1 : 2, handles.data(), FALSE,
                                 deadline ? static_cast<DWORD>(patience) : INFINITE) != WAIT_OBJECT_0)
      ::CancelIoEx(m_pipe, &m_call);
    return ::GetOverlappedResult(m_pipe, &m_call, &bytes, TRUE) != 0 ? std::optional(bytes) : std::nullopt;
  }

  HANDLE m_pipe;
  HANDLE m_stop;
  UniqueHandle m_done{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};
  OVERLAPPED m_call{};
};

// None: nobody answers there, or a program of another user has taken the name.
UniqueHandle connected(const std::wstring& pipe, const std::wstring& user, Deadline deadline) {
  for (;;) {
    UniqueHandle server(::CreateFileW(pipe.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, nullptr));
    if (!server && ::GetLastError() == ERROR_PIPE_BUSY && std::chrono::steady_clock::now() < deadline) {
      ::WaitNamedPipeW(pipe.c_str(), 50);
      continue;
    }
    ULONG pid = 0;
    if (!server || ::GetNamedPipeServerProcessId(server.get(), &pid) == 0) return {};
    const UniqueHandle process(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid));
    return process && userOf(process.get()) == user ? std::move(server) : UniqueHandle();
  }
}

// The length stands before the text: what is unread when a pipe is left is lost.
std::optional<std::string> receive(Talk& talk, std::size_t most, Deadline deadline) {
  std::array<char, sizeof(std::uint64_t)> head{};
  std::uint64_t size = 0;
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t got = talk.read(head.data() + at, head.size() - at, deadline);
    if (got == 0) return std::nullopt;
    at += got;
  }
  std::memcpy(&size, head.data(), sizeof size);
  if (size > most) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t got = talk.read(text.data() + at, text.size() - at, deadline);
    if (got == 0) return std::nullopt;
    at += got;
  }
  return text;
}

bool send(Talk& talk, std::string_view text, Deadline deadline) {
  std::array<char, sizeof(std::uint64_t)> head{};
  const std::uint64_t size = text.size();
  std::memcpy(head.data(), &size, sizeof size);
  return talk.write({head.data(), head.size()}, deadline) && talk.write(text, deadline);
}

}  // namespace

struct AnswerServer::State {
  State(UniqueHandle pipe, Answer answer) : m_pipe(std::move(pipe)), m_answer(std::move(answer)) {
    m_thread = std::thread([this] { run(); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    ::SetEvent(m_stop.get());
    m_thread.join();
  }

 private:
  void run() {
    while (::WaitForSingleObject(m_stop.get(), 0) != WAIT_OBJECT_0) {
      Talk talk(m_pipe.get(), m_stop.get());
      if (talk.awaitClient()) serve(talk);
      ::DisconnectNamedPipe(m_pipe.get());
    }
  }
  void serve(Talk& talk) {
    const auto question = receive(talk, kLongestQuestion, std::chrono::steady_clock::now() + kClientPatience);
    if (!question) return;
    const Result<std::string> answer = m_answer(*question);
    const std::string text = answer ? kAnswer + *answer : kRefusal + answer.error().message;
    const std::chrono::microseconds taking(text.size() / 10);
    const auto deadline = std::chrono::steady_clock::now() + kClientPatience + taking;
    char last = 0;
    if (send(talk, text, deadline)) talk.read(&last, 1, deadline);  // until the client has read all, and leaves
  }

  UniqueHandle m_pipe;
  UniqueHandle m_stop{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};
  Answer m_answer;
  std::thread m_thread;
};

Result<AnswerServer> AnswerServer::start(std::string_view name, Answer answer) {
  const std::wstring user = userOf(::GetCurrentProcess());
  PSECURITY_DESCRIPTOR rights = nullptr;
  const std::wstring thisUserAlone = L"D:P(A;;GA;;;" + user + L")";
  if (user.empty() || ::ConvertStringSecurityDescriptorToSecurityDescriptorW(thisUserAlone.c_str(), SDDL_REVISION_1,
                                                                             &rights, nullptr) == 0)
    return fail("Windows does not tell the user of this program.");
  const std::unique_ptr<void, FreeLocal> owned(rights);
  SECURITY_ATTRIBUTES attributes{.nLength = sizeof attributes, .lpSecurityDescriptor = rights, .bInheritHandle = FALSE};
  UniqueHandle pipe(::CreateNamedPipeW(pipeOf(name, user).c_str(),
                                       PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                       PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1,
                                       kBuffer, kBuffer, 0, &attributes));
  if (!pipe) return fail("Another program answers already.");
  return AnswerServer(makeHidden<State>(std::move(pipe), std::move(answer)));
}

Result<std::string> askRunning(std::string_view question, const AnswerLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.within;
  const std::wstring user = userOf(::GetCurrentProcess());
  for (const std::string_view name : kNames) {
    const UniqueHandle server = connected(pipeOf(name, user), user, deadline);
    if (!server) continue;
    Talk talk(server.get());
    if (!send(talk, question, deadline)) continue;
    const auto answer = receive(talk, limits.bytes, deadline);
    if (!answer || answer->empty()) continue;
    if (answer->front() == kRefusal) return fail(answer->substr(1));
    return answer->substr(1);
  }
  return fail("No Faultline of this user runs that could answer. Start the tray app.");
}

}  // namespace faultline

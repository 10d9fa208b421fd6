#include "platform/host/answers.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "platform/host/own_folder.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/wait.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Deadline = std::chrono::steady_clock::time_point;

constexpr auto kClientPatience = 200ms;  // with a client
constexpr std::size_t kLongestQuestion = 256;
constexpr int kWaiting = 16;  // clients
constexpr auto kNames = std::to_array<std::string_view>({"tray", "serve"});
constexpr char kAnswer = '+';  // the first byte of an answer; of a sentence that says why there is none
constexpr char kRefusal = '-';

std::filesystem::path folder() {
  if (const char* session = std::getenv("XDG_RUNTIME_DIR"); session != nullptr && isOwnFolder(session)) return session;
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path own;
  if (cache != nullptr && *cache == '/') own = std::filesystem::path(cache) / "faultline";
  else if (home != nullptr && *home == '/') own = std::filesystem::path(home) / ".cache/faultline";
  return !own.empty() && makeOwnFolder(own) ? own : std::filesystem::path();
}

std::optional<sockaddr_un> addressOf(std::string_view name) {
  const std::filesystem::path own = folder();
  const std::string path = (own / ("faultline-" + std::string(name) + ".answers")).string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (own.empty() || path.size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* general(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// None: nobody answers there.
UniqueFd connected(const sockaddr_un& address) {
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::connect(socket.get(), general(address), sizeof(address)) != 0) return {};
  return socket;
}

// False: the other side is gone, or took none of it in time.
bool sendAll(int socket, std::string_view text, Deadline deadline) {
  while (!text.empty() && waitUntilReady(socket, Way::ToWrite, deadline)) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return text.empty();
}

// Until `last`, or without it until the other side ends; absent: not in time, or more than `most`.
std::optional<std::string> receive(int socket, std::optional<char> last, std::size_t most, Deadline deadline) {
  std::string text;
  while (text.size() <= most && waitUntilReady(socket, Way::ToRead, deadline)) {
    std::array<char, 4096> some{};
    const ssize_t size = receiveAtOnce(socket, some.data(), some.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size < 0) return std::nullopt;
    if (size == 0) return last ? std::nullopt : std::optional(text);
    text.append(some.data(), static_cast<std::size_t>(size));
    if (const std::size_t end = last ? text.find(*last) : std::string::npos; end != std::string::npos)
      return end <= most ? std::optional(text.substr(0, end)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

struct AnswerServer::State {
  State(UniqueFd listener, std::string path, Answer answer)
      : m_listener(std::move(listener)), m_path(std::move(path)), m_answer(std::move(answer)) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals go to the program's own threads
    m_thread = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    eventfd_write(m_stop.get(), 1);
    m_thread.join();
    ::unlink(m_path.c_str());
  }

 private:
  void run() {
    while (true) {
      const std::array<WaitHandle, 2> handles{m_stop.get(), m_listener.get()};
      if ((waitAny(handles, std::nullopt) & 1U) != 0) return;
      const UniqueFd client(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (client) serve(client.get());
      else if ((waitAny(std::span(handles).first(1), kClientPatience) & 1U) != 0)
        return;  // such as with too many open files
    }
  }
  void serve(int client) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid()) return;
    const auto deadline = std::chrono::steady_clock::now() + kClientPatience;
    const auto question = receive(client, '\n', kLongestQuestion, deadline);
    if (!question) return;
    const Result<std::string> answer = m_answer(*question);
    const std::string text = answer ? kAnswer + *answer : kRefusal + answer.error().message;
    const std::chrono::microseconds taking(text.size() / 10);
    sendAll(client, text, std::chrono::steady_clock::now() + kClientPatience + taking);
  }

  UniqueFd m_listener;
  UniqueFd m_stop{::eventfd(0, EFD_CLOEXEC)};
  std::string m_path;
  Answer m_answer;
  std::thread m_thread;
};

Result<AnswerServer> AnswerServer::start(std::string_view name, Answer answer) {
  const auto address = addressOf(name);
  if (!address)
    return fail("There is no folder for the socket: XDG_RUNTIME_DIR and HOME name none that is this user's.");
  if (connected(*address)) return fail("Another program answers already.");
  ::unlink(address->sun_path);  // of a program that was killed
  UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener || ::bind(listener.get(), general(*address), sizeof(*address)) != 0 ||
      ::chmod(address->sun_path, S_IRUSR | S_IWUSR) != 0 || ::listen(listener.get(), kWaiting) != 0)
    return fail(std::string(address->sun_path) + " cannot be made: " + std::strerror(errno) + ".");
  return AnswerServer(makeHidden<State>(std::move(listener), address->sun_path, std::move(answer)));
}

Result<std::string> askRunning(std::string_view question, const AnswerLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.within;
  for (const std::string_view name : kNames) {
    const auto address = addressOf(name);
    const UniqueFd server = address ? connected(*address) : UniqueFd();
    if (!server || !sendAll(server.get(), std::string(question) + "\n", deadline)) continue;
    const auto answer = receive(server.get(), std::nullopt, limits.bytes, deadline);
    if (!answer || answer->empty()) continue;
    if (answer->front() == kRefusal) return fail(answer->substr(1));
    return answer->substr(1);
  }
  return fail("No Faultline of this user runs that could answer. Start the tray app, or 'faultline-cli serve'.");
}

}  // namespace faultline

#include "platform/host/linux/symbols/reader_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <utility>

#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostAnswered = std::uint64_t{64} << 20U;          // of an answer
constexpr std::string_view kFailure = "\xff\xff\xff\xff\xff\xff\xff\xff";  // in place of an answer's size
constexpr rlim_t kMostMemory = rlim_t{8} << 30U;                           // beyond what this program has mapped

constexpr Nanoseconds kLook = std::chrono::milliseconds(50);  // between two looks for a signal

enum { kOutOfMemory = 1, kFailed = 2 };  // exit codes
constexpr std::size_t kMostOfFailure = 512;

// Number of bytes; 0: none before the deadline; negative: the other side has ended.
ssize_t moveSome(int socket, char* bytes, std::size_t size, Way way, Clock::time_point deadline) {
  for (;;) {
    const ssize_t moved = way == Way::ToRead ? receiveAtOnce(socket, bytes, size)
                                             : send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (moved > 0) return moved;
    if (moved == 0 || (errno != EAGAIN && errno != EINTR)) return -1;
    if (!waitUntilReady(socket, way, deadline)) return 0;
  }
}

ssize_t moveAll(int socket, char* bytes, std::size_t size, Way way, Clock::time_point deadline) {
  ssize_t moved = 1;
  for (std::size_t done = 0; done < size && moved > 0; done += static_cast<std::size_t>(moved))
    moved = moveSome(socket, bytes + done, size - done, way, deadline);
  return moved;
}

ssize_t sendMessage(int socket, std::string_view text, Clock::time_point deadline) {
  std::uint64_t size = text.size();
  const ssize_t sent = moveAll(socket, reinterpret_cast<char*>(&size), sizeof size, Way::ToWrite, deadline);
  return sent > 0 && size > 0 ? moveAll(socket, const_cast<char*>(text.data()), size, Way::ToWrite, deadline) : sent;
}

ssize_t receiveMessage(int socket, std::string& text, Clock::time_point deadline) {
  std::uint64_t size = 0;
  const ssize_t got = moveAll(socket, reinterpret_cast<char*>(&size), sizeof size, Way::ToRead, deadline);
  if (got <= 0) return got;
  if (size > kMostAnswered) return -1;
  text.resize(size);
  return size > 0 ? moveAll(socket, text.data(), size, Way::ToRead, deadline) : got;
}

// Resets this program's signal handlers in the child, and blocks signals, so that a terminal's signal to both ends the
// child only together with its parent.
void forgetSignals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP}) std::signal(signal, SIG_DFL);
}

void limit(int resource, rlim_t most) {
  const rlimit both{.rlim_cur = most, .rlim_max = most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

void limitMemory() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  limit(RLIMIT_AS, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + kMostMemory);
  std::ofstream("/proc/self/oom_score_adj") << 1000;  // if memory is short, the kernel ends the child first
}

// Standard streams become /dev/null, the socket becomes the next descriptor, and all others are closed.
int keepOnly(int socket) {
  const int nowhere = open("/dev/null", O_RDWR);
  for (int stream = 0; stream <= STDERR_FILENO; ++stream) dup2(nowhere, stream);
  constexpr int kSocket = STDERR_FILENO + 1;
  dup2(socket, kSocket);
  close_range(kSocket + 1, ~0U, 0);
  return kSocket;
}

[[noreturn]] void serve(int inherited, pid_t parent, const std::function<ReaderProcess::Answer()>& begin) {
  forgetSignals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  prctl(PR_SET_NAME, "faultline-read");
  const int socket = keepOnly(inherited);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limitMemory();
  try {
    const ReaderProcess::Answer answer = begin();
    for (std::string request;;) {
      constexpr auto kEver = Clock::time_point::max();
      waitUntilReady(socket, Way::ToRead, std::nullopt);
      if (receiveMessage(socket, request, kEver) <= 0) _exit(0);
      if (sendMessage(socket, answer(request), kEver) <= 0) _exit(0);
    }
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemory);
  } catch (const std::exception& error) {
    const std::string text = std::string(kFailure) + error.what();
    send(socket, text.data(), std::min(text.size(), kMostOfFailure), MSG_NOSIGNAL);
    _exit(kFailed);
  }
}

std::string howItEnded(const ExitStatus& end, int socket) {
  if (!end.known) return "has ended";
  if (end.signal != 0) return "was ended by " + signalText(end.signal);
  if (end.code != kFailed) return "ran out of memory";
  std::string text(kMostOfFailure, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, receiveAtOnce(socket, text.data(), text.size()))));
  return "failed: " + text.substr(std::min(text.size(), text.find_first_not_of(kFailure)));
}

}  // namespace

Result<ReaderProcess> ReaderProcess::start(const std::function<Answer()>& begin) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(std::string("cannot be started: ") + std::strerror(errno));
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return fail(std::string("cannot be started: ") + std::strerror(errno));
  if (pid == 0) serve(theirs.get(), parent, begin);
  return ReaderProcess(pid, std::move(ours));
}

ReaderProcess::ReaderProcess(ReaderProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_socket(std::move(other.m_socket)) {}

ReaderProcess& ReaderProcess::operator=(ReaderProcess&& other) noexcept {
  std::swap(m_pid, other.m_pid);
  std::swap(m_socket, other.m_socket);
  return *this;
}

Result<std::string> ReaderProcess::ask(std::string_view request, Nanoseconds patience) {
  const auto deadline = Clock::now() + patience;
  if (const auto sent = send(request, patience); !sent) return tl::unexpected(sent.error());
  for (;;) {
    const Nanoseconds left = deadline - Clock::now();
    if (left <= Nanoseconds(0) || answersWithin(std::min(left, kLook))) return receive(left);
    if (!interrupted()) continue;
    end();
    return fail("was interrupted");
  }
}

// A blocked signal stays pending until the program takes it.
bool ReaderProcess::interrupted() {
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

Result<void> ReaderProcess::send(std::string_view request, Nanoseconds patience) {
  if (!m_socket) return fail("has ended before");
  const ssize_t moved = sendMessage(m_socket.get(), request, Clock::now() + patience);
  if (moved <= 0) return died(moved == 0);
  return {};
}

Result<std::string> ReaderProcess::receive(Nanoseconds patience) {
  if (!m_socket) return fail("has ended before");
  std::string answer;
  const ssize_t moved = receiveMessage(m_socket.get(), answer, Clock::now() + patience);
  if (moved <= 0) return died(moved == 0);
  return answer;
}

Nanoseconds ReaderProcess::processorTime() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(m_pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return Nanoseconds(0);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

bool ReaderProcess::answersWithin(Nanoseconds patience) const {
  return waitUntilReady(m_socket.get(), Way::ToRead, Clock::now() + patience);
}

tl::unexpected<Error> ReaderProcess::died(bool tooLong) {
  // The child is dying: waits for the reason, which killing the child would hide.
  auto ended = tooLong ? std::nullopt : takeEndWithin(m_pid, std::chrono::seconds(1));
  if (!ended) ended = killAndTakeEnd(m_pid);
  m_pid = -1;
  const std::string how =
      tooLong ? "took too long" : howItEnded(ended.value_or(ExitStatus{.known = false}), m_socket.get());
  m_socket.reset();
  return fail(how);
}

void ReaderProcess::end() {
  m_socket.reset();
  if (m_pid > 0) killAndTakeEnd(m_pid);
  m_pid = -1;
}

Result<std::string> inReaderProcess(const std::function<std::string()>& work, Nanoseconds patience) {
  auto process = ReaderProcess::start([&] { return [&](std::string_view) { return work(); }; });
  if (!process) return tl::unexpected(process.error());
  return process->ask({}, patience);
}

}  // namespace faultline

#include "platform/host/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "platform/host/linux/held_start.h"
#include "platform/host/programs.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct ChildProcess::State {
  pid_t pid = -1;
  UniqueFd ended;
  UniqueFd output;
  UniqueFd errors;
  std::optional<ExitStatus> status;
  bool detach = false;
  bool held = false;
};

namespace {

using namespace std::chrono_literals;
// Long enough for a collector to remove its probes, which otherwise the kernel must do after SIGKILL.
constexpr Nanoseconds kPatience = 3s;

// glibc 2.36 declares pidfd_open() without extern "C". The kernel sets close-on-exec.
UniqueFd openPidFd(pid_t pid) {
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

struct Pipe {
  UniqueFd ours;
  UniqueFd theirs;
};

Pipe makePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// The child's streams and signals: no signal blocked, and the default action for signals that this process, or a shell
// that started it in the background, ignores. An ignored SIGHUP stays ignored (nohup).
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&m_actions);
    posix_spawnattr_init(&m_attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t ignored;
    sigemptyset(&ignored);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&ignored, signal);
    posix_spawnattr_setsigmask(&m_attributes, &none);
    posix_spawnattr_setsigdefault(&m_attributes, &ignored);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&m_actions);
    posix_spawnattr_destroy(&m_attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void put(int fd, int at) { posix_spawn_file_actions_adddup2(&m_actions, fd, at); }
  void closeInput() { posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  void ownGroup() { m_flags |= POSIX_SPAWN_SETPGROUP; }

  int spawn(pid_t& pid, const ChildCommand& command) {
    const std::string program = command.program.string();
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};  // exec does not modify its arguments
    for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawnattr_setflags(&m_attributes, static_cast<short>(m_flags));
    return posix_spawnp(&pid, program.c_str(), &m_actions, &m_attributes, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
  int m_flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
};

void connect(SpawnPlan& plan, ChildStream kind, int stream, Pipe& pipe) {
  if (kind == ChildStream::Pipe) {
    pipe = makePipe();
    plan.put(pipe.theirs.get(), stream);
  } else if (kind == ChildStream::ToStandardError) {
    plan.put(STDERR_FILENO, stream);
  }
}

std::size_t readSome(const UniqueFd& fd, std::span<std::byte> buffer) {
  ssize_t got = 0;
  do got = ::read(fd.get(), buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

ExitStatus decode(int status) {
  if (WIFSIGNALED(status)) return {.code = 0, .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = 0};
}

tl::unexpected<Error> notStarted(const ChildCommand& command, int error) {
  return fail(command.program.string() + " could not be started: " + std::generic_category().message(error) + ".");
}

}  // namespace

Result<ChildProcess> ChildProcess::startThenHold(const ChildCommand& command) {
  const UniqueFd nothing(command.quietInput ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : -1);
  auto state = std::make_unique<State>();
  const auto streamFor = [](ChildStream kind, UniqueFd& ours) {
    if (kind == ChildStream::ToStandardError) return UniqueFd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
    if (kind != ChildStream::Pipe) return UniqueFd();
    Pipe pipe = makePipe();
    ours = std::move(pipe.ours);
    return std::move(pipe.theirs);
  };
  const UniqueFd output = streamFor(command.output, state->output);
  const UniqueFd errors = streamFor(command.errors, state->errors);
  const HeldStart start = startHeld(command, {.input = nothing.get(), .output = output.get(), .errors = errors.get()});
  if (start.error != 0) return notStarted(command, start.error);
  state->pid = start.pid;
  state->held = start.held;
  state->ended = openPidFd(start.pid);
  if (start.status) state->status = decode(*start.status);
  return ChildProcess(std::move(state));
}

bool ChildProcess::held() const {
  return m_state->held;
}

void ChildProcess::release() {
  if (std::exchange(m_state->held, false)) releaseHeld(m_state->pid);
}

Result<ChildProcess> ChildProcess::start(const ChildCommand& command) {
  if (command.held && !gainsRights(command.program)) return startThenHold(command);
  SpawnPlan plan;
  Pipe output;
  Pipe errors;
  connect(plan, command.output, STDOUT_FILENO, output);
  connect(plan, command.errors, STDERR_FILENO, errors);
  if (command.quietInput) plan.closeInput();
  if (command.ownGroup) plan.ownGroup();

  auto state = std::make_unique<State>();
  if (const int error = plan.spawn(state->pid, command); error != 0) return notStarted(command, error);
  state->ended = openPidFd(state->pid);
  state->output = std::move(output.ours);
  state->errors = std::move(errors.ours);
  return ChildProcess(std::move(state));
}

ChildProcess::ChildProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(m_state, other.m_state);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (!m_state || m_state->status || m_state->detach) return;
  m_state->output.reset();
  m_state->errors.reset();
  release();
  terminate();
  if (waitFor(kPatience)) return;
  ::kill(m_state->pid, SIGKILL);
  static_cast<void>(wait());
}

WaitHandle ChildProcess::outputReady() const {
  return m_state->output.get();
}
WaitHandle ChildProcess::errorsReady() const {
  return m_state->errors.get();
}
std::size_t ChildProcess::readOutput(std::span<std::byte> buffer) {
  return readSome(m_state->output, buffer);
}
std::size_t ChildProcess::readErrors(std::span<std::byte> buffer) {
  return readSome(m_state->errors, buffer);
}
WaitHandle ChildProcess::ended() const {
  return m_state->ended.get();
}
std::uint32_t ChildProcess::pid() const {
  return static_cast<std::uint32_t>(m_state->pid);
}

// No kill() after the child was reaped: the pid may belong to another process.
void ChildProcess::terminate() {
  if (!m_state->status) ::kill(m_state->pid, SIGTERM);
}

ExitStatus ChildProcess::wait() {
  if (m_state->status) return *m_state->status;
  int status = 0;
  while (::waitpid(m_state->pid, &status, 0) < 0 && errno == EINTR) {
  }
  m_state->status = decode(status);
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

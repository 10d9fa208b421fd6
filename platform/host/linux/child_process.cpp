#include "platform/host/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "core/parse/proc_status.h"
#include "platform/host/linux/end_handle.h"
#include "platform/host/linux/held_start.h"
#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/programs.h"
#include "platform/system/posix/process_folder.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct ChildProcess::State {
  pid_t pid = -1;
  EndHandle ended;
  UniqueFd output;
  UniqueFd errors;
  std::optional<ExitStatus> status;
  bool detach = false;
  bool held = false;
};

namespace {

using namespace std::chrono_literals;
// Long enough for a collector to remove its probes, which otherwise the kernel must do after SIGKILL.
constexpr Nanoseconds kEndPatience = 3s;

struct Pipe {
  UniqueFd ours;
  UniqueFd theirs;
};

// 0, or why there is none.
int makePipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  pipe = {UniqueFd(ends[0]), UniqueFd(ends[1])};
  return 0;
}

// By /proc, which tells the signals of any process.
bool blocks(pid_t process, int signal) {
  const auto status = parseProcStatus(ProcessFolder(static_cast<std::uint32_t>(process)).readOfProcess("status"));
  return status && (status->blockedSignals >> (signal - 1) & 1) != 0;
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
    for (const int signal : kDefaultInChildren) sigaddset(&ignored, signal);
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

int connect(SpawnPlan& plan, ChildStream kind, int stream, Pipe& pipe) {
  if (kind == ChildStream::ToStandardError) plan.put(STDERR_FILENO, stream);
  if (kind != ChildStream::Pipe) return 0;
  const int error = makePipe(pipe);
  if (error == 0) plan.put(pipe.theirs.get(), stream);
  return error;
}

std::size_t bytesFrom(const UniqueFd& fd, std::span<std::byte> buffer) {
  return static_cast<std::size_t>(std::max<ssize_t>(0, readSome(fd.get(), buffer)));
}

tl::unexpected<Error> notStarted(const ChildCommand& command, int error) {
  return fail(command.program.string() + " could not be started: " + std::generic_category().message(error) + ".");
}

}  // namespace

std::string signalText(int signal) {
  const char* const name = ::strsignal(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

Result<ChildProcess> ChildProcess::startThenHold(const ChildCommand& command) {
  const UniqueFd nothing(command.quietInput ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : -1);
  auto state = makeHidden<State>();
  int error = 0;
  const auto streamFor = [&error](ChildStream kind, UniqueFd& ours) {
    if (kind == ChildStream::ToStandardError) return UniqueFd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
    Pipe pipe;
    if (kind == ChildStream::Pipe && error == 0) error = makePipe(pipe);
    ours = std::move(pipe.ours);
    return std::move(pipe.theirs);
  };
  const UniqueFd output = streamFor(command.output, state->output);
  const UniqueFd errors = streamFor(command.errors, state->errors);
  if (error != 0) return notStarted(command, error);
  const HeldStart start = startHeld(command, {.input = nothing.get(), .output = output.get(), .errors = errors.get()});
  if (start.error != 0) return notStarted(command, start.error);
  state->pid = start.pid;
  state->held = start.held;
  state->ended = EndHandle(start.pid);
  state->status = start.end;
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
  if (const int error = connect(plan, command.output, STDOUT_FILENO, output); error != 0)
    return notStarted(command, error);
  if (const int error = connect(plan, command.errors, STDERR_FILENO, errors); error != 0)
    return notStarted(command, error);
  if (command.quietInput) plan.closeInput();
  if (command.ownGroup) plan.ownGroup();

  auto state = makeHidden<State>();
  if (const int error = plan.spawn(state->pid, command); error != 0) return notStarted(command, error);
  state->ended = EndHandle(state->pid);
  state->output = std::move(output.ours);
  state->errors = std::move(errors.ours);
  return ChildProcess(std::move(state));
}

ChildProcess::~ChildProcess() {
  if (!m_state || m_state->status || m_state->detach) return;
  m_state->output.reset();
  m_state->errors.reset();
  release();
  terminate();
  if (!waitFor(kEndPatience)) killAndTakeEnd(m_state->pid);
}

WaitHandle ChildProcess::outputReady() const {
  return m_state->output.get();
}
WaitHandle ChildProcess::errorsReady() const {
  return m_state->errors.get();
}
std::size_t ChildProcess::readOutput(std::span<std::byte> buffer) {
  return bytesFrom(m_state->output, buffer);
}
std::size_t ChildProcess::readErrors(std::span<std::byte> buffer) {
  return bytesFrom(m_state->errors, buffer);
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

// An older collector, or another program in its place, would be ended by the signal.
void ChildProcess::ask() {
  if (!m_state->status && blocks(m_state->pid, SIGUSR1)) ::kill(m_state->pid, SIGUSR1);
}

ExitStatus ChildProcess::wait() {
  while (!waitFor(kEndPatience)) continue;
  return *m_state->status;
}

std::optional<ExitStatus> ChildProcess::waitFor(Nanoseconds timeout) {
  if (m_state->status) return m_state->status;
  static_cast<void>(waitAny(std::array{ended()}, timeout));
  m_state->status = takeEnd(m_state->pid);
  return m_state->status;
}

void ChildProcess::detach() {
  m_state->detach = true;
}

}  // namespace faultline

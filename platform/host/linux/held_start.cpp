#include "platform/host/linux/held_start.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/programs.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int kMostStops = 50'000;  // system calls of a loader, twice each
constexpr char kTraced = 't';
constexpr int kSyscallStop = SIGTRAP | 0x80;
constexpr Nanoseconds kExecPatience = 30s;
constexpr Nanoseconds kStopPatience = 3s;

// What PTRACE_GET_SYSCALL_INFO tells first; C libraries declare it in different ways.
struct SyscallStop {
  std::uint8_t operation;
  std::array<std::uint8_t, 3> rest;
  std::uint32_t architecture;
  std::uint64_t instruction;
};
constexpr std::uint8_t kEntry = 1;

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

std::uint64_t loaderBase(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/auxv", std::ios::binary);
  std::array<unsigned long, 2> pair{};
  while (file.read(reinterpret_cast<char*>(pair.data()), sizeof pair))
    if (pair[0] == AT_BASE) return pair[1];
  return 0;
}

// The code of the program's loader; empty for a program without one. Absent: musl's, which is its C library too.
std::optional<Range> loaderOf(pid_t pid) {
  Range range;
  const std::uint64_t base = loaderBase(pid);
  if (base == 0) return range;
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::string path;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    Range mapped;
    char dash = 0;
    std::string flags, offset, device, inode, name;
    words >> std::hex >> mapped.begin >> dash >> mapped.end >> flags >> offset >> device >> inode >> name;
    if (mapped.holds(base)) {
      path = name;
      range.begin = mapped.begin;
    }
    if (range.begin != 0 && name == path) range.end = mapped.end;
  }
  return path.find("musl") == std::string::npos ? std::optional(range) : std::nullopt;
}

// Lets a program go that works: it must be stopped for that. A program that the system does not let stop is killed.
void letGo(HeldStart& start) {
  kill(start.pid, SIGSTOP);
  const auto stop = nextStop(start.pid, kStopPatience, {});
  if (!stop) {
    start.error = ETIMEDOUT;
    start.end = killAndTakeEnd(start.pid);
    return;
  }
  start.end = stop->end;
  if (start.end) return;
  const bool own = stop->signal == SIGSTOP || stop->signal == kSyscallStop || stop->signal == SIGTRAP;
  ptrace(PTRACE_DETACH, start.pid, 0, own ? 0 : stop->signal);
  if (stop->signal != SIGSTOP) kill(start.pid, SIGCONT);  // takes back what has not come yet
}

// Lets `parent` trace this process. Another process that has inherited it would never let it go on.
bool letTrace(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const bool traced = ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
  prctl(PR_SET_PDEATHSIG, 0);  // from now on the kernel lets it run on if the tracer ends
  return traced;
}

// In the child. Like posix_spawn with the settings of SpawnPlan; calls only what is safe after fork().
[[noreturn]] void become(const char* program, char* const* words, const ChildCommand& command, const ChildFiles& files,
                         int report, pid_t parent) {
  if (letTrace(parent)) static_cast<void>(!write(report, &kTraced, 1));
  for (const int signal : kDefaultInChildren) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (command.ownGroup) setpgid(0, 0);
  if (files.input >= 0) dup2(files.input, STDIN_FILENO);
  if (files.output >= 0) dup2(files.output, STDOUT_FILENO);
  if (files.errors >= 0) dup2(files.errors, STDERR_FILENO);
  execvp(program, words);
  const int error = errno;
  static_cast<void>(!write(report, &error, sizeof error));
  _exit(127);
}

}  // namespace

std::filesystem::path programFile(const std::filesystem::path& program) {
  if (program.string().find('/') != std::string::npos) return program;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto file = std::filesystem::path(folder.empty() ? "." : folder) / program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return program;
}

bool gainsRights(const std::filesystem::path& program) {
  const std::filesystem::path file = programFile(program);
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return false;
  return (status.st_mode & (S_ISUID | S_ISGID)) != 0 || getxattr(file.c_str(), "security.capability", nullptr, 0) >= 0;
}

// Lets the loader work, and stops at the first system call from elsewhere. A signal ends the hold.
void holdAfterLoader(HeldStart& start, Nanoseconds most, const Interrupt& interrupt) {
  const Steady::time_point deadline = Steady::now() + most;
  Range loader;
  int signal = 0;
  for (int stops = 0; stops < kMostStops && signal == 0; ++stops) {
    if (stops > 0) ptrace(PTRACE_SYSCALL, start.pid, 0, 0);
    const auto stop = nextStop(start.pid, deadline - Steady::now(), interrupt);
    if (!stop) return letGo(start);
    start.end = stop->end;
    if (start.end) return;
    if (stops == 0) {  // the program has just been executed
      const auto found = loaderOf(start.pid);
      if (!found || ptrace(PTRACE_SETOPTIONS, start.pid, 0, PTRACE_O_TRACESYSGOOD) != 0) break;
      loader = *found;
    }
    if (stop->signal == kSyscallStop) {
      SyscallStop call{};
      if (ptrace(PTRACE_GET_SYSCALL_INFO, start.pid, sizeof call, &call) <= 0) break;
      start.held = call.operation == kEntry && !loader.holds(call.instruction);
      if (start.held) return;
    } else if (stops > 0 || stop->signal != SIGTRAP) {
      signal = stop->signal;
    }
  }
  ptrace(PTRACE_DETACH, start.pid, 0, signal);
}

namespace {

// What the child writes until it has executed the program; absent: it takes too long, or the interrupt has come.
std::optional<std::string> reportOf(const UniqueFd& pipe, const Interrupt& interrupt) {
  std::string report;
  std::array<std::byte, 16> piece{};
  const Steady::time_point deadline = Steady::now() + kExecPatience;
  for (;;) {
    if (waitFor(pipe.get(), deadline - Steady::now(), interrupt) != Waited::Ready) return std::nullopt;
    const ssize_t got = readSome(pipe.get(), piece);
    if (got <= 0) return report;
    report.append(reinterpret_cast<const char*>(piece.data()), static_cast<std::size_t>(got));
  }
}

}  // namespace

HeldStart startHeld(const ChildCommand& command, const ChildFiles& files) {
  const std::string program = command.program.string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};  // exec does not modify its arguments
  for (const std::string& argument : command.arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {.error = errno};
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t parent = getpid();
  HeldStart start{.pid = fork()};
  if (start.pid < 0) return {.error = errno};
  if (start.pid == 0) become(program.c_str(), words.data(), command, files, theirs.get(), parent);
  theirs.reset();
  auto report = reportOf(ours, command.interrupt);
  if (!report) {
    killAndTakeEnd(start.pid);
    return {.error = command.interrupt.now() ? EINTR : ETIMEDOUT};
  }
  const bool traced = report->starts_with(kTraced);
  if (traced) report->erase(0, 1);
  if (report->size() >= sizeof start.error) {
    std::copy_n(report->data(), sizeof start.error, reinterpret_cast<char*>(&start.error));
    killAndTakeEnd(start.pid);
    return start;
  }
  if (traced) holdAfterLoader(start, command.loaderPatience, command.interrupt);
  return start;
}

void releaseHeld(pid_t pid) {
  ptrace(PTRACE_DETACH, pid, 0, 0);
}

}  // namespace faultline

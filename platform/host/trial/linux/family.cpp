#include "platform/host/trial/linux/family.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "platform/host/linux/end_handle.h"
#include "platform/host/linux/held_start.h"
#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/programs.h"
#include "platform/host/trial/linux/commit_peak.h"
#include "platform/host/trial/linux/huge_pages.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kKillAfter = 1s;  // between SIGTERM and SIGKILL
constexpr Nanoseconds kLoaderPatience = 10s;

#ifdef __clang__
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define __SANITIZE_ADDRESS__  // as GCC does
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizer = true;
#else
constexpr bool kSanitizer = false;
#endif

std::int64_t now() {
  return Nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t nsOf(const timeval& time) {
  return time.tv_sec * 1'000'000'000LL + time.tv_usec * 1'000LL;
}

std::int64_t processorOf(const rusage& usage) {
  return nsOf(usage.ru_utime) + nsOf(usage.ru_stime);
}

// Used by the program's process before it executed the program, and so not the program's.
struct Start {
  pid_t pid = -1;
  int error = 0;
  bool traced = false;
  std::int64_t time = 0;
  std::int64_t processor = 0;
  std::int64_t system = 0;
  std::uint64_t faults = 0;
  std::uint64_t peakBytes = 0;
  bool grouped = false;
  std::uint64_t groupFaults = 0;  // in the run's group
};

const char* valueOf(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The word that execvp() searches.
const std::string& programOf(const TrialCommand& command) {
  return command.remedy.wrapper.empty() ? command.words.front() : command.remedy.wrapper.front();
}

bool forbidHugePages(HugePagesForbidden which) {
  if (which == HugePagesForbidden::None) return true;
  const unsigned long flags = which == HugePagesForbidden::UnlessAdvised ? kExceptAdvised : 0;
  return prctl(PR_SET_THP_DISABLE, 1, flags, 0, 0) == 0;
}

// What the program's process needs until it executes the program, made before: this process and that one may share
// their memory, so that one of them makes nothing more.
struct Beginning {
  const FamilyFiles& files;
  pid_t keeper = getpid();
  int start = -1;  // takes a Start, and another one if the program cannot be executed
  bool traced = false;
  std::vector<char*> words{};
};

[[noreturn]] void becomeProgram(const Beginning& beginning) {
  const FamilyFiles& files = beginning.files;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != beginning.keeper) _exit(1);
  setpgid(0, 0);
  for (const int signal : kDefaultInChildren) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(files.input, STDIN_FILENO);
  dup2(files.output, STDOUT_FILENO);
  if (files.errors >= 0) dup2(files.errors, STDERR_FILENO);
  Start record{.pid = getpid()};
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto entered = static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
  record.grouped = files.group != nullptr && files.group->enter();
  record.traced = beginning.traced && ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
  getrusage(RUSAGE_SELF, &usage);
  record.groupFaults = static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt) - entered;
  record.processor = processorOf(usage);
  record.system = nsOf(usage.ru_stime);
  record.faults = static_cast<std::uint64_t>(usage.ru_minflt);
  record.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  record.time = now();
  static_cast<void>(!write(beginning.start, &record, sizeof record));
  execvp(beginning.words.front(), beginning.words.data());
  record.error = errno;
  static_cast<void>(!write(beginning.start, &record, sizeof record));
  _exit(127);
}

// Changes the environment of this process.
Beginning beginningOf(const TrialCommand& command, const FamilyFiles& files, int start, bool held) {
  const std::string tunables = valueOf("GLIBC_TUNABLES");
  const std::string preload = valueOf("LD_PRELOAD");
  for (const auto& [name, value] : environmentWith(command.remedy, tunables, preload))
    setenv(name.c_str(), value.c_str(), 1);
  Beginning beginning{.files = files, .start = start, .traced = held && !gainsRights(programOf(command))};
  for (const auto* list : {&command.remedy.wrapper, &command.words})
    for (const std::string& word : *list)
      beginning.words.push_back(const_cast<char*>(word.c_str()));  // exec does not change it
  beginning.words.push_back(nullptr);
  return beginning;
}

// Takes over beginning.start. A process of fork() has a copy of this one's memory, which execve() takes down at the
// program's expense; one of vfork() has none, and holds up the thread that starts it, which is one of its own. That
// thread lives as long as this process: PR_SET_PDEATHSIG is the death of a thread. The tracer of a held program is the
// thread that started it, and sanitizers warn at vfork(): then fork() starts it.
void startProgram(const Beginning& beginning) {
  const auto start = [&](pid_t pid) {
    const Start failure{.error = errno};
    if (pid == 0) becomeProgram(beginning);
    if (pid < 0) static_cast<void>(!write(beginning.start, &failure, sizeof failure));
    close(beginning.start);
  };
  if (kSanitizer || beginning.traced) return start(fork());
  std::thread([start] {
    start(vfork());  // NOLINT(clang-analyzer-security.insecureAPI.vfork): the process makes system calls alone
    for (;;) pause();
  }).detach();
}

// The second field of /proc/PID/schedstat, which a process keeps until it is waited for.
std::int64_t waitedFor(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  std::int64_t runs = 0;
  return file >> ran >> waited >> runs && runs > 0 ? waited : -1;
}

void killChildren() {
  const std::string self = std::to_string(getpid());
  std::ifstream children("/proc/self/task/" + self + "/children");
  for (pid_t child = 0; children >> child;) kill(child, SIGKILL);
}

// Ends the processes that are left, and waits for them, but not for ever: a process that gained rights cannot be
// killed.
void endFamily(pid_t program, ExitStatus& end) {
  const std::int64_t begin = now();
  constexpr std::int64_t kLongest = 2'000'000'000;
  kill(-program, SIGKILL);
  while (now() - begin < kLongest) {
    const EndedChild ended = takeAnyEnd();
    if (ended.pid == program) end = ended.status;
    if (ended.pid < 0) return;
    if (ended.pid != 0) continue;
    killChildren();
    static_cast<void>(waitAny({}, 1ms));
  }
}

// Until the program has ended, or its end is ordered, or the reader is gone.
void waitForProgram(HeldStart& program, int reader, bool samples, Start& start, FamilyReport& report) {
  const EndHandle end(program.pid);
  const std::array handles{end.get(), WaitHandle{reader}};
  CommitPeak commit;
  for (;;) {
    const std::uint32_t ready =
        waitAny(handles, samples && !program.held ? std::optional(commit.pause()) : std::nullopt);
    if (ready == 0) commit.sample();
    report.peakCommitBytes = commit.bytes();
    if ((ready & 1U) != 0) return;
    if (ready == 0) continue;
    auto order = FamilyOrder::End;
    report.ended = receiveAll(reader, &order, sizeof order) && order == FamilyOrder::End;
    if (std::exchange(program.held, false)) {
      releaseHeld(program.pid);
      start.time = now();
    }
    if (order == FamilyOrder::Release) continue;
    kill(-program.pid, SIGTERM);
    static_cast<void>(waitAny(std::span(handles).first(1), kKillAfter));
    return;
  }
}

// False: the program is executed, or its process has ended.
bool readStart(int fd, Start& start) {
  return readSome(fd, std::as_writable_bytes(std::span(&start, 1))) == sizeof start;
}

// All processes have ended. The few faults between entering the group and execve() are those of the keeper's memory,
// which its own group counts. A process that nobody waited for has more.
void addUnwaited(FamilyReport& report, const Start& start, const OwnGroup& group) {
  const auto counts = group.count();
  const std::uint64_t waited = report.minorFaults + report.majorFaults + start.groupFaults;
  constexpr std::uint64_t kBeforeExec = 16;
  report.grouped = counts && counts->faults + kBeforeExec >= waited;
  if (!report.grouped) return;
  report.unwaitedFaults = std::max(counts->faults, waited) - waited;
  report.groupPeakBytes = counts->peakBytes;
  if (report.unwaitedFaults == 0) return;
  const std::uint64_t major = std::max(report.majorFaults, counts->majorFaults);
  report.minorFaults += report.unwaitedFaults - std::min(major - report.majorFaults, report.unwaitedFaults);
  report.majorFaults += std::min(major - report.majorFaults, report.unwaitedFaults);
}

void fill(FamilyReport& report, const Start& start) {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  report.processor = processorOf(usage) - start.processor;
  report.system = std::clamp<std::int64_t>(nsOf(usage.ru_stime) - start.system, 0, report.processor);
  report.minorFaults = static_cast<std::uint64_t>(usage.ru_minflt) - start.faults;
  report.majorFaults = static_cast<std::uint64_t>(usage.ru_majflt);
  report.startFaults = start.faults;
  report.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  report.peakAtMost = report.peakBytes <= start.peakBytes;  // the kernel counts the memory before exec, too
}

}  // namespace

void keepFamily(const TrialCommand& command, const FamilyFiles& files, bool held) {
  setsid();  // signals of the terminal go to the process that observes the run
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  FamilyReport report{.error = pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno};
  if (report.error == 0 && !forbidHugePages(command.remedy.hugePages)) report.error = errno;
  Start start{.error = report.error};
  const Beginning beginning = beginningOf(command, files, ends[1], held);
  if (report.error == 0) startProgram(beginning);
  if (report.error == 0 && !readStart(ends[0], start)) start.error = ECHILD;
  if (start.pid < 0) {
    report.error = start.error;
    static_cast<void>(!write(files.report, &report, sizeof report));
    _exit(0);
  }
  close(files.output);
  const pid_t program = start.pid;
  // Before the program's pid is told, any order is one to end.
  const Interrupt ordered{.ready = files.report,
                          .requested = [&] { return waitAny(std::array{WaitHandle{files.report}}, 0ns) != 0; }};
  Start failure;
  report.error =
      waitFor(ends[0], std::nullopt, ordered) == Waited::Ready && readStart(ends[0], failure) ? failure.error : 0;
  HeldStart child{.pid = program};
  if (start.traced) holdAfterLoader(child, kLoaderPatience, ordered);
  if (report.error == 0) report.error = child.error;
  if (held && report.error == 0) static_cast<void>(!write(files.report, &program, sizeof program));
  if (child.end) report.end = *child.end;
  else waitForProgram(child, files.report, command.countsAll, start, report);
  report.wall = now() - start.time;
  report.waited = waitedFor(program);
  endFamily(program, report.end);
  fill(report, start);
  const bool readerGone = waitAny(std::array{WaitHandle{files.report}}, 0ns) != 0;
  if (start.grouped && readerGone) files.group->remove();
  else if (start.grouped) addUnwaited(report, start, *files.group);
  static_cast<void>(!write(files.report, &report, sizeof report));
  _exit(0);
}

}  // namespace faultline

// A game that lives a given life, with frames of known faults before and after. Each frame ends with faultline_frame(),
// then with a call of lifecyclePresent(); its own counts go to a LifeLog. Usage: lifecycle LIFE LOG GATE quiet|busy
// [IMAGE] with two descriptors or paths: of the log, and of a pipe from which a byte comes once the game is watched.
// Until then a busy game goes on with frames, and a quiet one stands still. IMAGE counts the programs that the process
// has executed. Built without sanitizers, whose memory would be counted.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "resources/faultline_frame.h"
#include "tests/support/life_log.h"

extern "C" __attribute__((noinline, visibility("default"))) void lifecyclePresent(long frame) {
  asm volatile("" : : "r"(frame) : "memory");
}

namespace {

using faultline::test::LifeLog;
using faultline::test::LifeRun;

constexpr std::size_t kPage = 4096;

LifeLog* g_log = nullptr;
char** g_arguments = nullptr;
std::string g_life;
int g_gate = -1;
bool g_busy = false;
int g_image = 0;
long g_frame = 0;

void touch(long pages) {
  const std::size_t bytes = static_cast<std::size_t>(pages) * kPage;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (std::size_t at = 0; at < bytes; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
  munmap(memory, bytes);
}

rusage usage() {
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  return own;
}

LifeRun& thisRun() {
  return g_log->run[(g_log->runs - 1) % LifeLog::kMostRuns];
}

std::uint64_t faultsSoFar() {
  const rusage own = usage();
  return static_cast<std::uint64_t>(own.ru_minflt + own.ru_majflt);
}

[[noreturn]] void endRun() {
  thisRun().atEnd += faultsSoFar();
  _exit(0);
}

int fileOf(const char* word) {
  return word[0] == '/' ? open(word, O_RDWR) : std::atoi(word);
}

void play(int frames) {
  for (; frames > 0; --frames) {
    touch(20 + (++g_frame * 7 + g_image) % 41);
    const std::uint32_t place = g_log->marks;
    if (place < LifeLog::kMost) {
      const rusage own = usage();
      g_log->mark[place] = {.minorFaults = static_cast<std::uint64_t>(own.ru_minflt),
                            .majorFaults = static_cast<std::uint64_t>(own.ru_majflt),
                            .image = static_cast<std::uint64_t>(g_image)};
    }
    g_log->marks = place + 1;
    faultline_frame("life");
    lifecyclePresent(g_frame);
    usleep(3000);
  }
}

void awaitGate() {
  pollfd gate{.fd = g_gate, .events = POLLIN, .revents = 0};
  play(4);
  if (g_busy)
    while (poll(&gate, 1, 0) == 0) play(1);
  g_log->faultsAtGate = faultsSoFar();
  g_log->waiting = 1;
  char byte = 0;
  static_cast<void>(!read(g_gate, &byte, 1));
}

// The copy with rights of its own, if the test has made one.
void becomeNext() {
  static std::string image = std::to_string(g_image + 1);
  const std::string setuid = std::string(g_arguments[0]) + "-setuid";
  const std::string program = g_life.starts_with("setuid") ? setuid : g_arguments[0];
  char* const arguments[] = {g_arguments[0], g_arguments[1], g_arguments[2], g_arguments[3],
                             g_arguments[4], image.data(),   nullptr};
  g_log->faultsAtExec = faultsSoFar();
  execv(program.c_str(), arguments);
  _exit(126);
}

void awaitTest() {
  g_log->phase = 1;
  while (g_log->phase == 1) usleep(1000);
}

void startChild(void (*run)()) {
  if (fork() != 0) return;
  run();
  _exit(0);
}

void afterGate() {
  play(20);
  if (g_life.starts_with("exec") || g_life.starts_with("setuid")) becomeNext();
  if (g_life == "fork") startChild([] { touch(500); });
  if (g_life == "vfork" && vfork() == 0) {
    execl("/bin/true", "true", nullptr);
    _exit(126);
  }
  if (g_life == "daemon") {
    startChild([] {
      setsid();
      touch(500);
    });
    endRun();
  }
  if (g_life == "killed") {
    touch(30);
    thisRun().atEnd += faultsSoFar();
    kill(getpid(), SIGKILL);
  }
  if (g_life == "stopped") {
    g_log->phase = 1;
    raise(SIGSTOP);
  }
  if (g_life == "frozen") awaitTest();
  if (g_life == "memory limit") {
    awaitTest();
    thisRun().atEnd += faultsSoFar();
    touch(long{64} << 8U);  // 64 MB
  }
  play(20);
}

void live() {
  if (g_image == 0) awaitGate();
  if (g_image == 0) return afterGate();
  usleep(600'000);  // a watcher without BPF programs looks for another program after 250 ms without a frame
  play(20);
  if (g_life == "execs" && g_image < 3) becomeNext();
}

void* liveInThread(void* /*unused*/) {
  if (g_life == "first thread gone") usleep(50'000);
  live();
  endRun();
}

void* outlive(void* /*unused*/) {
  usleep(50'000);
  play(20);
  endRun();
}

// In a pid namespace of its own. The outer process keeps the end of the inner one until the test has seen it.
void enterNamespace() {
  if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
    g_log->pid = -1;
    _exit(0);
  }
  const pid_t inner = fork();
  if (inner == 0) return;
  g_log->pid = inner;
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(inner), &ended, WEXITED | WNOWAIT);
  g_log->phase = 2;
  while (g_log->phase == 2) usleep(1000);
  endRun();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return 2;
  g_arguments = arguments;
  g_life = arguments[1];
  g_gate = fileOf(arguments[3]);
  g_busy = arguments[4] == std::string("busy");
  g_image = count > 5 ? std::atoi(arguments[5]) : 0;
  g_log = static_cast<LifeLog*>(
      mmap(nullptr, sizeof(LifeLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fileOf(arguments[2]), 0));
  if (g_log == MAP_FAILED) return 2;
  if (g_image == 0) ++g_log->runs;
  if (g_image == 0) thisRun().atMain = faultsSoFar();
  if (g_image > 0 && g_life.ends_with("short")) endRun();
  signal(SIGCHLD, SIG_IGN);  // a child's usage is not added
  if (g_life == "namespace" && g_image == 0) {
    signal(SIGCHLD, SIG_DFL);
    enterNamespace();
  } else {
    g_log->pid = getpid();
  }
  faultline_frame("life");  // opens the memory of the marks, which takes faults of its own
  pthread_t thread{};
  if (g_image == 0 && (g_life == "first thread gone" || g_life == "exec by a thread" || g_life == "exit by a thread")) {
    pthread_create(&thread, nullptr, liveInThread, nullptr);
    if (g_life == "first thread gone") pthread_exit(nullptr);
    pthread_join(thread, nullptr);
  }
  if (g_life == "first thread goes") {
    awaitGate();
    play(20);
    pthread_create(&thread, nullptr, outlive, nullptr);
    pthread_exit(nullptr);
  }
  live();
  endRun();
}

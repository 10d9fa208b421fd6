#include "tests/soak/watchdog.h"

#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/plain.h"

namespace faultline::soak {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);
constexpr unsigned kLooks = 20;  // a second on a machine at rest; more of them on a busy one, whose threads wait
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr double kMostSeconds = 4;  // such code is so much slower
#else
constexpr double kMostSeconds = 1;
#endif
constexpr int kBeatMs = 25;

void printStack(int signal) {
  std::fprintf(stderr, "monkey: signal %d\n", signal);
  std::array<void*, 100> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), frames.size()), STDERR_FILENO);
  std::_Exit(EXIT_FAILURE);
}

double secondsComputed() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Whether every thread but this one waits for something else than a processor: the main thread may wait for another
// that paints with it.
bool allSleep() {
  const std::string self = std::to_string(syscall(SYS_gettid));
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string stat;
    std::getline(std::ifstream(task.path() / "stat"), stat);
    const std::size_t name = stat.rfind(')');
    if (name == std::string::npos || name + 2 >= stat.size() || task.path().filename() == self) continue;
    if (stat[name + 2] != 'S' && stat[name + 2] != 'D') return false;
  }
  return true;
}

}  // namespace

Watchdog::Watchdog() {
  std::signal(SIGUSR1, printStack);
#ifndef __SANITIZE_ADDRESS__
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(crash, printStack);
#endif
  m_beat.callOnTimeout([this] { ++m_beats; });
  m_beat.start(kBeatMs);
  m_thread = std::thread([this, self = pthread_self()] {
    unsigned beats = 0;
    unsigned asleep = 0;
    double began = 0;
    while (!m_ended) {
      std::this_thread::sleep_for(kLook);
      if (const unsigned now = m_beats; now != beats || began == 0) {
        beats = now;
        asleep = 0;
        began = secondsComputed();
        continue;
      }
      if (allSleep()) ++asleep;
      const double spent = secondsComputed() - began;
      if (asleep < kLooks && spent < kMostSeconds) continue;
      std::fprintf(stderr, "monkey: the event loop stands still: %.1f s of computing, %u looks asleep\n", spent,
                   asleep);
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::seconds(20));  // a main thread that does not even hear the signal
      std::_Exit(EXIT_FAILURE);
    }
  });
}

Watchdog::~Watchdog() {
  m_ended = true;
  m_thread.join();
}

}  // namespace faultline::soak

// What a sweep costs: own CPU time of sampling, and of sampling and encoding, at 10 Hz among sleeping processes.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "core/stream/encoder.h"
#include "platform/linux/bpf_programs_linux.h"
#include "platform/system_sampler.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr int kSweeps = 30;
constexpr Nanoseconds kPause = 100ms;  // as in real use: the caches are cold again

class Sleepers {
 public:
  explicit Sleepers(std::size_t count) {
    while (m_pids.size() < count) {
      const pid_t pid = fork();
      if (pid == 0) {
        for (;;) pause();
      }
      if (pid < 0) break;
      m_pids.push_back(pid);
    }
  }
  ~Sleepers() {
    for (const pid_t pid : m_pids) kill(pid, SIGKILL);
    for (const pid_t pid : m_pids) waitpid(pid, nullptr, 0);
  }
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;

 private:
  std::vector<pid_t> m_pids;
};

Nanoseconds cpuTime() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

double microseconds(Nanoseconds duration, std::size_t among) {
  return static_cast<double>(duration.count()) / 1000 / static_cast<double>(among);
}

// A read of every thread's record and nothing else; 0 where BPF programs cannot be had.
Nanoseconds bareRead() {
  Nanoseconds reading{0};
#ifdef FAULTLINE_BPF
  const auto programs = BpfPrograms::load(false);
  if (!programs) return reading;
  for (int sweep = -2; sweep < kSweeps; ++sweep) {
    std::this_thread::sleep_for(kPause);
    const Nanoseconds start = cpuTime();
    (void)(*programs)->sweep();
    if (sweep >= 0) reading += cpuTime() - start;
  }
#endif
  return reading;
}

bool measure(std::size_t sleepers) {
  const Sleepers children(sleepers);
  const Nanoseconds bare = bareRead();
  const auto sampler = makeSystemSampler(systemClock());
  if (!sampler) {
    std::fprintf(stderr, "%s\n", sampler.error().message.c_str());
    return false;
  }
  Encoder encoder;
  Snapshot snapshot;
  std::size_t bytes = encoder.hello((*sampler)->hello()).size();
  Nanoseconds sampling{0};
  Nanoseconds encoding{0};
  for (int sweep = -2; sweep < kSweeps; ++sweep) {  // the first two open files and grow buffers
    if (sweep == 0) sampling = encoding = Nanoseconds(0), bytes = 0;
    std::this_thread::sleep_for(kPause);
    const Nanoseconds start = cpuTime();
    if (!(*sampler)->sample(snapshot)) return false;
    const Nanoseconds sampled = cpuTime();
    bytes += encoder.snapshot(snapshot).size();
    sampling += sampled - start;
    encoding += cpuTime() - sampled;
  }
  const std::size_t processes = snapshot.processes.size();
  std::printf("%9zu %10.0f %13.0f %13.0f %16.2f %15.2f %11zu\n", processes, microseconds(bare, kSweeps),
              microseconds(sampling, kSweeps), microseconds(sampling + encoding, kSweeps),
              microseconds(sampling, kSweeps * processes), microseconds(encoding, kSweeps * processes),
              bytes / kSweeps);
  return true;
}

}  // namespace

int main() {
  std::puts("own CPU per sweep at 10 Hz, in us");
  std::puts("processes  bare read        sample  sample+encode  sample/process  encode/process  bytes/frame");
  for (const std::size_t sleepers : {200, 1000, 4000}) {
    if (!measure(sleepers)) return 1;
  }
  return 0;
}

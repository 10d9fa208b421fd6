// The cost of a sweep: CPU time of sampling, and of sampling and encoding, at 10 Hz among sleeping processes.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "core/stream/encoder.h"
#include "platform/sampling/linux/bpf/programs.h"
#include "platform/sampling/system_sampler.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr int kSweeps = 30;
constexpr Nanoseconds kPause = 100ms;  // cold caches, as in real use

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

double median(std::vector<Nanoseconds>& durations) {
  if (durations.empty()) return 0;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  return static_cast<double>(middle->count()) / 1000;
}

// Reads the records of all threads and does nothing else; does nothing if BPF programs cannot be loaded.
class BareRead {
 public:
  void operator()() {
#ifdef FAULTLINE_BPF
    if (m_programs) (void)(*m_programs)->sweep();
#endif
  }

 private:
#ifdef FAULTLINE_BPF
  Result<std::unique_ptr<BpfPrograms>, Unavailable> m_programs = BpfPrograms::load(false);
#endif
};

// Alternates, so that other load on the machine affects all alike.
bool measure(std::size_t sleepers) {
  const Sleepers children(sleepers);
  BareRead bareRead;
  const auto sampler = makeSystemSampler(systemClock());
  if (!sampler) {
    std::fprintf(stderr, "%s\n", sampler.error().message.c_str());
    return false;
  }
  Encoder encoder;
  Snapshot snapshot;
  static_cast<void>(encoder.hello((*sampler)->hello()));
  std::size_t bytes = 0;
  std::vector<Nanoseconds> bare;
  std::vector<Nanoseconds> sampling;
  std::vector<Nanoseconds> encoding;
  for (int sweep = -2; sweep < kSweeps; ++sweep) {
    if (sweep == 0) bare.clear(), sampling.clear(), encoding.clear(), bytes = 0;  // files are open, buffers grown
    std::this_thread::sleep_for(kPause);
    const Nanoseconds start = cpuTime();
    bareRead();
    bare.push_back(cpuTime() - start);
    std::this_thread::sleep_for(kPause);
    const Nanoseconds before = cpuTime();
    if (!(*sampler)->sample(snapshot)) return false;
    const Nanoseconds sampled = cpuTime();
    bytes += encoder.snapshot(snapshot).size();
    sampling.push_back(sampled - before);
    encoding.push_back(cpuTime() - sampled);
  }
  const double read = median(bare);
  const double sample = median(sampling);
  const std::size_t processes = snapshot.processes.size();
  std::printf(
      "sweep, %zu sleepers: bare read %.0f us, sample %.0f us, encode %.0f us; %zu bytes; sample/bare %.2f "
      "(%zu processes, %.2f us each)\n",
      sleepers, read, sample, median(encoding), bytes / kSweeps, read > 0 ? sample / read : 0, processes,
      sample / static_cast<double>(processes));
  return true;
}

}  // namespace

int main() {
  std::puts("own CPU per sweep at 10 Hz, medians (a bare read is 0 without BPF; to reach: sample/bare 1.3)");
  for (const std::size_t sleepers : {200, 1000, 4000}) {
    if (!measure(sleepers)) return 1;
  }
  return 0;
}

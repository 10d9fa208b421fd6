// The cost of measuring per 4 KB fault and per 4 KB page given back: Faultline's programs and other tools that time
// faults; and per switch of threads, which the parts of fault time need. Each measurement is paired with unmeasured
// events just before and after; prints medians. Needs root.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "core/base/median.h"
#include "platform/sampling/linux/bpf/sampler.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kFaults = 1024;
constexpr int kBatches = 60;
constexpr int kTurns = 200;
constexpr int kRounds = 5;

// Both tools need tracefs, which may not be mounted: mount it in their own mount namespace.
constexpr const char* kMounts =
    "mount -t debugfs none /sys/kernel/debug; mount -t tracefs none /sys/kernel/tracing; exec ";
constexpr const char* kPerfTrace = "perf trace -F all --no-syscalls -a -o /dev/null";
constexpr const char* kBpftrace =
    "bpftrace -e 'tracepoint:exceptions:page_fault_user, tracepoint:exceptions:page_fault_kernel { @b[tid] = nsecs } "
    "software:minor-faults:1, software:major-faults:1 /@b[tid]/ { @t[pid] = sum(nsecs - @b[tid]); delete(@b[tid]); } "
    "tracepoint:kmem:mm_page_alloc /args->gfp_flags & 0x100/ { @z[pid] = sum(1 << args->order) }'";

struct Times {
  double fault = 0;  // ns
  double free = 0;
  double change = 0;  // of threads
};

Times timesPerPage() {
  static char* const memory = [] {
    void* const fresh = mmap(nullptr, kFaults * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(fresh, kFaults * kPage, MADV_NOHUGEPAGE);
    return static_cast<char*>(fresh);
  }();
  std::vector<double> faults;
  std::vector<double> frees;
  const auto since = [](std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / kFaults;
  };
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kFaults; ++i) static_cast<volatile char*>(memory)[i * kPage] = 1;
    faults.push_back(since(begin));
    const auto touched = std::chrono::steady_clock::now();
    madvise(memory, kFaults * kPage, MADV_DONTNEED);
    frees.push_back(since(touched));
  }
  return {.fault = *median(faults), .free = *median(frees), .change = 0};
}

// Two processes on one processor that wake each other in turn.
double nsPerSwitch() {
  cpu_set_t before;
  cpu_set_t one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  std::array<int, 2> there{};
  std::array<int, 2> back{};
  if (pipe(there.data()) != 0 || pipe(back.data()) != 0) return 0;
  char byte = 0;
  const pid_t other = fork();
  if (other == 0) {
    close(there[1]);
    while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1) {
    }
    _exit(0);
  }
  std::vector<double> batches;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0; turn < kTurns; ++turn)
      if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 0;
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    batches.push_back(time.count() / (2.0 * kTurns));
  }
  for (const int end : {there[0], there[1], back[0], back[1]}) close(end);
  waitpid(other, nullptr, 0);
  sched_setaffinity(0, sizeof before, &before);
  return *median(batches);
}

class Program {
 public:
  explicit Program(const std::string& command) : m_pid(fork()) {
    if (m_pid == 0) {
      const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
      for (const int file : {0, 1, 2}) dup2(nowhere, file);
      execlp("unshare", "unshare", "-m", "sh", "-c", (kMounts + command).c_str(), nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(2s);  // until tracing has begun
    m_runs = waitpid(m_pid, nullptr, WNOHANG) == 0;
  }
  ~Program() {
    if (!m_runs) return;
    kill(m_pid, SIGINT);
    for (int patience = 0; patience < 30 && waitpid(m_pid, nullptr, WNOHANG) == 0; ++patience)
      std::this_thread::sleep_for(100ms);
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  [[nodiscard]] bool runs() const { return m_runs; }

 private:
  pid_t m_pid;
  bool m_runs = false;
};

// Absent if `start` fails.
using Running = std::shared_ptr<void>;
Times measure() {
  Times times = timesPerPage();
  times.change = nsPerSwitch();
  return times;
}

Times cost(const std::function<Running()>& start) {
  std::vector<double> faults;
  std::vector<double> frees;
  std::vector<double> changes;
  for (int round = 0; round < kRounds; ++round) {
    const Times before = measure();
    Running running = start();
    if (!running) return {};
    const Times with = measure();
    running.reset();
    const Times after = measure();
    faults.push_back(with.fault - (before.fault + after.fault) / 2);
    frees.push_back(with.free - (before.free + after.free) / 2);
    changes.push_back(with.change - (before.change + after.change) / 2);
  }
  return {.fault = *median(faults), .free = *median(frees), .change = *median(changes)};
}

Times costOf(const char* command) {
  return cost([&]() -> Running {
    auto program = std::make_shared<Program>(command);
    return program->runs() ? program : nullptr;
  });
}
Times costOfSampler(bool faultTime, bool attended) {
  return cost([&]() -> Running {
    auto sampler = makeBpfSampler(systemClock(), faultTime);
    if (!sampler) return nullptr;
    (*sampler)->attend(attended);
    return std::shared_ptr<Sampler>(std::move(*sampler));
  });
}

void print(const char* what, double ns, double ours) {
  if (ns == 0) std::printf("%-44s cannot be run here\n", what);
  else std::printf("%-44s %8.0f ns %7.2f\n", what, ns, ours / ns);
}

}  // namespace

int main() {
  if (geteuid() != 0) {
    std::puts("what measuring costs each fault: skipped, takes root");
    return 0;
  }
  const Times plain = measure();
  std::printf("a 4 KB fault takes %.0f ns, giving the page back %.0f ns, a switch of threads %.0f ns\n", plain.fault,
              plain.free, plain.change);
  std::puts("cost of measuring, ns                             added  Faultline/tool (goal for the last two: 0.33)");
  const Times all = costOfSampler(true, true);
  const Times counts = costOfSampler(false, true);
  const double ours = all.fault;
  print("Faultline: zeroing and fault time", ours, ours);
  const Times hidden = costOfSampler(true, false);
  print("Faultline: fault time, not on show", hidden.fault, ours);
  print("Faultline: zeroing alone", counts.fault, ours);
  print("perf trace -F all", costOf(kPerfTrace).fault, ours);
  print("bpftrace, the same job in one line", costOf(kBpftrace).fault, ours);
  std::printf("counting a page given back adds %.0f ns, %.2f of giving it back (goal: 40 ns)\n", counts.free,
              counts.free / plain.free);
  std::printf("the parts of fault time add %.0f ns to a switch of threads, %.0f ns while not on show\n", all.change,
              hidden.change);
  return 0;
}

// A storm of short-lived processes, sampled every 500 ms: do the faults of all processes add up to those of the
// machine, how many ended processes have a name, and how much memory and how many descriptors does the collector take?
// bench_forks [SECONDS [STALL [lives]]]: for STALL seconds of the storm nobody reads what the collector says; with
// `lives`, 300 processes a second live in all the ways that a process can live and end in.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "core/history/rates.h"
#include "core/model/unnamed_ended.h"
#include "core/stream/decoder.h"

using namespace faultline;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

namespace {

constexpr int kForksPerTurn = 10;
constexpr int kPerFork = 3;  // every third child has memory of its own, and so faults
constexpr auto kTurn = 1ms;  // together 10 000 a second, where the machine can

// A child that ends at once. With vfork() as many begin as the collector is promised to follow.
pid_t begin(bool ownMemory) {
  const pid_t child = ownMemory ? fork() : vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (child == 0) _exit(0);
  return child;
}

[[noreturn]] void storm() {
  for (auto next = Steady::now();;) {
    for (int i = 0; i < kForksPerTurn; ++i) waitpid(begin(i % kPerFork == 0), nullptr, 0);
    next = std::max(next + kTurn, Steady::now() - kTurn);
    std::this_thread::sleep_until(next);
  }
}

// Takes fresh memory of 64 pages.
void touch() {
  constexpr std::size_t kSize = std::size_t{64} * 4096;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (std::size_t at = 0; memory != MAP_FAILED && at < kSize; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
}

void beside(void (*work)()) {
  std::thread(work).detach();
}

// Each begins in a new child, and ends it.
constexpr std::array<void (*)(), 8> kLives{
    [] { touch(); },
    [] { execl("/bin/true", "true", nullptr); },
    [] { execl("/bin/sh", "sh", "-c", "exec sh -c 'exec true'", nullptr); },
    [] {  // the first thread leaves, and the other works on
      beside([] {
        std::this_thread::sleep_for(5ms);
        touch();
      });
      pthread_exit(nullptr);
    },
    [] {  // another thread ends the process
      beside([] {
        touch();
        _exit(0);
      });
      pause();
    },
    [] {  // another thread becomes the process
      beside([] { execl("/bin/true", "true", nullptr); });
      pause();
    },
    [] {  // a daemon
      if (fork() != 0) _exit(0);
      setsid();
      touch();
    },
    [] {
      touch();
      kill(getpid(), SIGKILL);
    },
};

[[noreturn]] void manyLives() {
  constexpr int kPerTurn = 3;
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // daemons end as children of this process
  std::size_t turn = 0;
  for (auto next = Steady::now();; next = std::max(next + 10ms, Steady::now() - 10ms)) {
    for (int i = 0; i < kPerTurn; ++i) {
      const auto life = kLives[turn++ % kLives.size()];
      if (fork() != 0) continue;
      life();
      _exit(0);
    }
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    std::this_thread::sleep_until(next);
  }
}

long descriptors(pid_t pid) {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/" + std::to_string(pid) + "/fd", error);
  return error ? -1 : std::distance(begin(files), end(files));
}

struct Totals {
  std::uint64_t machine = 0;
  std::uint64_t processes = 0;
  std::uint64_t named = 0;
  std::uint64_t unnamed = 0;
  std::uint64_t lost = 0;
  std::uint64_t dropped = 0;
};

class Reader {
 public:
  void take(const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) m_hello = *hello;
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    Moment moment;
    derive(m_hello, m_last ? &*m_last : nullptr, **snapshot, moment);
    if (m_last) add(moment, **snapshot);
    m_last = **snapshot;
  }
  [[nodiscard]] const Totals& totals() const { return m_totals; }

 private:
  void add(const Moment& moment, const Snapshot& snapshot) {
    m_totals.machine += moment.systemDeltas.get(SystemMetric::Faults).value_or(0);
    for (const ProcessMetric metric : {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults})
      m_totals.processes += moment.processTotal.get(metric).value_or(0);
    for (const ProcessSample& process : snapshot.exited)
      ++(process.name == kUnnamedEnded ? m_totals.unnamed : m_totals.named);
    m_totals.lost = snapshot.system.get(SystemMetric::LostExits).value_or(0);
    m_totals.dropped = snapshot.system.get(SystemMetric::DroppedSnapshots).value_or(0);
  }

  Hello m_hello;
  std::optional<Snapshot> m_last;
  Totals m_totals;
};

std::uint64_t residentKib(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtoull(line.c_str() + 6, nullptr, 10);
  return 0;
}

struct Running {
  pid_t collector = -1;
  int output = -1;
};

Running startCollector() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "faultline-collector";
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl(program.c_str(), program.c_str(), "sweep", "--interval", "500ms", nullptr);
    _exit(127);
  }
  close(ends[1]);
  return {.collector = pid, .output = ends[0]};
}

}  // namespace

int main(int argc, char** argv) {
  const auto whole = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 25);
  const auto stall = std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 0);
  const Running running = startCollector();
  const pid_t forker = fork();
  if (forker == 0) argc > 3 ? manyLives() : storm();
  Reader reader;
  Decoder decoder;
  std::array<std::byte, 65536> buffer{};
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  long fewestFiles = 0;
  long mostFiles = 0;
  const auto begin = Steady::now();
  const auto end = begin + whole;
  for (bool asked = false;;) {
    if (const auto kib = residentKib(running.collector); kib > 0 && Steady::now() > begin + 2s) {
      least = std::min(least, kib);
      most = std::max(most, kib);
      const long files = descriptors(running.collector);
      fewestFiles = fewestFiles == 0 ? files : std::min(fewestFiles, files);
      mostFiles = std::max(mostFiles, files);
    }
    if (Steady::now() > begin + 2s && Steady::now() < begin + 2s + stall) {
      std::this_thread::sleep_for(100ms);
      continue;
    }
    if (!asked && Steady::now() > end) asked = kill(running.collector, SIGTERM) == 0;
    const ssize_t count = read(running.output, buffer.data(), buffer.size());
    if (count <= 0) break;
    decoder.feed({buffer.data(), static_cast<std::size_t>(count)});
    for (auto event = decoder.next(); event && !std::holds_alternative<NeedMoreBytes>(*event); event = decoder.next()) {
      reader.take(*event);
      if (std::holds_alternative<StreamEnd>(*event)) break;
    }
  }
  kill(forker, SIGKILL);
  waitpid(forker, nullptr, 0);
  waitpid(running.collector, nullptr, 0);
  const Totals& totals = reader.totals();
  const double seconds = std::chrono::duration<double>(Steady::now() - begin).count();
  const double ended = static_cast<double>(totals.named + totals.unnamed);
  std::printf("%.0f ends a second for %.0f s, nobody reading for %ld s of them\n", ended / seconds, seconds,
              static_cast<long>(stall.count()));
  std::printf("faults of all processes %llu of the machine's %llu: off by %.4f %%\n",
              static_cast<unsigned long long>(totals.processes), static_cast<unsigned long long>(totals.machine),
              100 * (1 - static_cast<double>(totals.processes) / static_cast<double>(totals.machine)));
  std::printf("ends told with a name %llu, in sums %llu, lost %llu; snapshots not sent %llu\n",
              static_cast<unsigned long long>(totals.named), static_cast<unsigned long long>(totals.unnamed),
              static_cast<unsigned long long>(totals.lost), static_cast<unsigned long long>(totals.dropped));
  std::printf("collector resident %.1f to %.1f MiB, %ld to %ld descriptors\n", static_cast<double>(least) / 1024,
              static_cast<double>(most) / 1024, fewestFiles, mostFiles);
}

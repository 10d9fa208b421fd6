// How far is the time in page faults that the calibration estimates from counts (minor faults times one price) from the
// time that BPF programs measure, in workloads that fault for different reasons? Prints their ratio for each.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/calibration/calibration.h"
#include "core/model/hello.h"
#include "platform/sampling/system_sampler.h"
#include "tests/support/workload.h"

using namespace faultline;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr int kRounds = 5;
constexpr double kNear = 0.15;
constexpr double kGoal = 0.75;  // of the workloads

char* map(std::size_t bytes, int flags = MAP_PRIVATE | MAP_ANONYMOUS, int file = -1) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (at == MAP_FAILED) _exit(1);
  madvise(at, bytes, MADV_NOHUGEPAGE);
  return static_cast<char*>(at);
}

void write(volatile char* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += kPage) at[i] = 1;
}

long read(const volatile char* at, std::size_t bytes) {
  long sum = 0;
  for (std::size_t i = 0; i < bytes; i += kPage) sum += at[i];
  return sum;
}

void frames() {
  for (int i = 0; i < 16; ++i) {
    char* const buffer = map(8 * kMiB);
    std::memset(buffer, i, 8 * kMiB);
    munmap(buffer, 8 * kMiB);
  }
}

void smallBlocks() {
  constexpr std::size_t kBlock = kMiB / 4;
  for (int i = 0; i < 400; ++i) {
    char* const block = map(kBlock);
    write(block, kBlock);
    munmap(block, kBlock);
  }
}

void dropped() {
  static char* const kept = map(32 * kMiB);
  for (int i = 0; i < 4; ++i) {
    write(kept, 32 * kMiB);
    madvise(kept, 32 * kMiB, MADV_DONTNEED);
  }
}

void heap() {
  for (int round = 0; round < 2; ++round) {
    std::vector<void*> blocks;
    for (int i = 0; i < 200'000; ++i) {
      blocks.push_back(std::malloc(static_cast<std::size_t>(16 + i * 37 % 500)));
      if (blocks.back() == nullptr) _exit(1);
      *static_cast<volatile char*>(blocks.back()) = 1;
    }
    for (void* block : blocks) std::free(block);
  }
}

void largeHeap() {
  for (int i = 0; i < 3; ++i) {
    char* const block = static_cast<char*>(std::malloc(40 * kMiB));
    if (block == nullptr) _exit(1);
    write(block, 40 * kMiB);
    std::free(block);
  }
}

void scattered() {
  const std::size_t pages = 128 * kMiB / kPage;
  auto* const at = static_cast<volatile char*>(map(pages * kPage));
  for (std::size_t i = 0; i < pages; ++i) at[i * 9973 % pages * kPage] = 1;
  munmap(const_cast<char*>(at), pages * kPage);
}

void threads() {
  const auto work = [] {
    char* const own = map(48 * kMiB);
    write(own, 48 * kMiB);
    munmap(own, 48 * kMiB);
  };
  std::thread other(work);
  work();
  other.join();
}

void copyOnWrite() {
  static char* const kept = map(32 * kMiB);
  write(kept, 32 * kMiB);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  write(kept, 32 * kMiB);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

void sharedMemory() {
  const int file = memfd_create("estimate", 0);
  if (file < 0 || ftruncate(file, 64 * kMiB) != 0) _exit(1);
  char* const at = map(64 * kMiB, MAP_SHARED, file);
  write(at, 64 * kMiB);
  munmap(at, 64 * kMiB);
  close(file);
}

void readFirst() {
  char* const at = map(64 * kMiB);
  (void)read(at, 64 * kMiB);
  write(at, 64 * kMiB);
  munmap(at, 64 * kMiB);
}

void cachedFile() {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const auto bytes = static_cast<std::size_t>(lseek(file, 0, SEEK_END));
  for (int i = 0; i < 300; ++i) {
    void* const at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) _exit(1);
    (void)read(static_cast<const char*>(at), bytes);
    munmap(at, bytes);
  }
  close(file);
}

void mixed() {
  frames();
  heap();
  cachedFile();
}

struct Work {
  const char* name;
  void (*run)();
};
constexpr std::array kWorks{Work{"a new buffer of 8 MiB in each frame", frames},
                            Work{"blocks of 256 KiB, mapped and unmapped", smallBlocks},
                            Work{"memory dropped by madvise and used again", dropped},
                            Work{"a heap of small blocks", heap},
                            Work{"a heap of blocks of 40 MiB", largeHeap},
                            Work{"pages in random order", scattered},
                            Work{"two threads", threads},
                            Work{"copy on write after fork", copyOnWrite},
                            Work{"shared memory", sharedMemory},
                            Work{"pages read, then written", readFirst},
                            Work{"a mapped file in memory", cachedFile},
                            Work{"frames, a heap and a file", mixed}};

const ProcessValues* valuesOf(const Snapshot& snapshot, pid_t pid) {
  for (const ProcessSample& process : snapshot.processes)
    if (process.key.pid == static_cast<std::uint32_t>(pid)) return &process.values;
  return nullptr;
}

// By `faultline-cli calibrate` beside this program; 0: refused.
double price() {
  const auto folder = std::filesystem::temp_directory_path() / ("estimate-" + std::to_string(getpid()));
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "faultline-cli";
  const std::string command = "XDG_CONFIG_HOME=" + folder.string() + " " + program.string() + " calibrate 2>/dev/null";
  (void)!std::system(command.c_str());
  std::ifstream in(folder / "faultline" / "calibration.json", std::ios::binary);
  const auto kept = parseCalibrations(std::string((std::istreambuf_iterator<char>(in)), {}));
  std::filesystem::remove_all(folder);
  return kept && !kept->empty() ? kept->front().touch.median : 0;
}

// The median over rounds of measured time a fault; 0: it is not measured here.
double nsPerFault(Sampler& sampler, const Work& work) {
  const test::Workload child([&](int) { work.run(); });
  std::vector<double> rounds;
  Snapshot before;
  Snapshot after;
  for (int i = 0; i < kRounds; ++i) {
    if (!sampler.sample(before)) return 0;
    child.next();
    if (!sampler.sample(after)) return 0;
    const ProcessValues* const old = valuesOf(before, child.pid());
    const ProcessValues* const now = valuesOf(after, child.pid());
    if (old == nullptr || now == nullptr) return 0;
    const auto grown = [&](ProcessMetric metric) {
      const auto first = old->get(metric);
      const auto last = now->get(metric);
      return first && last ? static_cast<double>(*last - *first) : 0.0;
    };
    const double onProcessor = grown(ProcessMetric::FaultTimeOnProcessor);
    const double time = onProcessor > 0 ? onProcessor : grown(ProcessMetric::FaultTime);
    const double faults = grown(ProcessMetric::MinorFaults);
    if (time > 0 && faults > 0) rounds.push_back(time / faults);
  }
  if (rounds.empty()) return 0;
  std::ranges::sort(rounds);
  return rounds[rounds.size() / 2];
}

// One line: how often the price is near the measured time of the workloads.
void tell(const char* what, double price, const std::vector<double>& measured) {
  std::vector<double> ratios = measured;
  for (double& each : ratios) each = price / each;
  std::ranges::sort(ratios);
  const auto near = std::ranges::count_if(ratios, [](double ratio) { return std::abs(ratio - 1) <= kNear; });
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  std::printf("%s, %.0f ns: least, quartiles, most %.2f, %.2f, %.2f, %.2f, %.2f; within 15 %%: %td of %zu%s\n", what,
              price, ratios.front(), at(0.25), at(0.5), at(0.75), ratios.back(), near, ratios.size(),
              static_cast<double>(near) >= kGoal * static_cast<double>(ratios.size()) ? "" : ", MISSED");
}

}  // namespace

int main() {
  const double touch = price();
  if (touch <= 0) {
    std::puts("estimate: the machine is too busy to calibrate");
    return 1;
  }
  const auto sampler = makeSystemSampler(systemClock());
  if (!sampler) {
    std::fprintf(stderr, "%s\n", sampler.error().message.c_str());
    return 1;
  }
  (*sampler)->attend(true);
  std::puts("time of faults on a processor, without entry and return, and the calibrated price / that time");
  std::vector<double> measured;
  for (const Work& work : kWorks) {
    const double ns = nsPerFault(**sampler, work);
    if (ns > 0) std::printf("%-42s %5.0f ns a fault %6.2f\n", work.name, ns, touch / ns);
    else std::printf("%-42s not measured\n", work.name);
    if (ns > 0) measured.push_back(ns);
  }
  if (measured.empty()) return 1;
  std::puts("estimates by one price (to reach: 3 of 4 within 15 %)");
  tell("the calibration, which has entry and return", touch, measured);
  tell("the time of the first workload", measured.front(), measured);
  return 0;
}

// An empty BPF program at the faults of a process whose threads come and go; its runs are counted by the
// kernel.
#include "platform/sampling/linux/watch/bpf/thread_faults.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "core/parse/proc_stat.h"
#include "platform/system/posix/unique_fd.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

int bpf(bpf_cmd command, bpf_attr& attributes) {
  return static_cast<int>(syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

// Skips the test if the program may not be loaded.
class Counter {
 public:
  Counter() {
    const std::array code{bpf_insn{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                          bpf_insn{.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
    bpf_attr load{};
    load.prog_type = BPF_PROG_TYPE_PERF_EVENT;
    load.insns = reinterpret_cast<std::uintptr_t>(code.data());
    load.insn_cnt = code.size();
    load.license = reinterpret_cast<std::uintptr_t>("GPL");
    m_program = UniqueFd(bpf(BPF_PROG_LOAD, load));
    bpf_attr stats{};
    stats.enable_stats.type = BPF_STATS_RUN_TIME;
    m_stats = UniqueFd(bpf(BPF_ENABLE_STATS, stats));
    if (!m_program || !m_stats) SKIP("BPF programs may not be loaded and counted");
  }

  [[nodiscard]] int program() const { return m_program.get(); }
  [[nodiscard]] std::uint64_t runs() const {
    bpf_prog_info info{};
    bpf_attr query{};
    query.info.bpf_fd = static_cast<std::uint32_t>(m_program.get());
    query.info.info_len = sizeof info;
    query.info.info = reinterpret_cast<std::uintptr_t>(&info);
    REQUIRE(bpf(BPF_OBJ_GET_INFO_BY_FD, query) == 0);
    return info.run_cnt;
  }

 private:
  UniqueFd m_program;
  UniqueFd m_stats;
};

void touchPages(std::size_t count) {
  constexpr std::size_t kPage = 4096;
  auto* const memory =
      static_cast<char*>(mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(memory, count * kPage, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < count; ++i) static_cast<volatile char*>(memory)[i * kPage] = 1;
  munmap(memory, count * kPage);
}

// A thread that works on request, and lives as long as the process.
class OldThread {
 public:
  OldThread() {
    pthread_barrier_init(&m_turn, nullptr, 2);
    std::thread([this] {
      for (;;) {
        pthread_barrier_wait(&m_turn);
        touchPages(100);
        pthread_barrier_wait(&m_turn);
      }
    }).detach();
  }
  void work() {
    pthread_barrier_wait(&m_turn);
    pthread_barrier_wait(&m_turn);
  }

 private:
  pthread_barrier_t m_turn{};
};

OldThread& oldThread() {
  static auto* const thread = new OldThread;
  return *thread;
}

std::uint64_t faultsOf(const Workload& child) {
  std::ifstream file("/proc/" + std::to_string(child.pid()) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto stat = parseProcStat(text);
  REQUIRE(stat);
  return stat->minorFaults + stat->majorFaults;
}

std::vector<PerfEvent> attach(const Counter& counter, const Workload& child) {
  const ProcessFolder folder(static_cast<std::uint32_t>(child.pid()));
  const std::array programs{FaultProgram{.program = counter.program(), .kind = PERF_COUNT_SW_PAGE_FAULTS_MIN},
                            FaultProgram{.program = counter.program(), .kind = PERF_COUNT_SW_PAGE_FAULTS_MAJ}};
  std::vector<PerfEvent> events;
  const int error = attachBpfToThreads(folder, programs, events);
  if (error == EINVAL) SKIP("this kernel runs no BPF program at a perf event of one thread");
  REQUIRE(error == 0);
  return events;
}

}  // namespace

TEST_CASE("A BPF program runs at each fault of old and new threads, and not at faults of others") {
  const Counter counter;
  Workload game([](int) {
    touchPages(100);
    oldThread().work();
    std::thread(touchPages, 100).join();
    if (const pid_t child = fork(); child == 0) {
      touchPages(1000);
      _exit(0);
    } else {
      waitpid(child, nullptr, 0);
    }
  });
  Workload stranger([](int) { touchPages(1000); });
  const auto events = attach(counter, game);
  const std::uint64_t before = faultsOf(game);
  REQUIRE(counter.runs() == 0);
  for (int round = 0; round < 5; ++round) {
    stranger.next();
    game.next();
    CHECK(counter.runs() == faultsOf(game) - before);
  }
  CHECK(faultsOf(game) - before >= 1500);
}

TEST_CASE("A BPF program misses no fault of threads that begin while it is attached") {
  const Counter counter;
  Workload game([](int round) {
    static std::vector<std::unique_ptr<OldThread>> threads;
    if (round == 1) {
      for (int i = 0; i < 200; ++i) {
        threads.push_back(std::make_unique<OldThread>());
        threads.back()->work();
      }
    } else {
      for (const auto& thread : threads) thread->work();
    }
  });
  game.begin();
  const auto events = attach(counter, game);
  game.end();
  const std::uint64_t before = faultsOf(game);
  const std::uint64_t runs = counter.runs();
  game.next();
  CHECK(faultsOf(game) - before >= 20'000);
  CHECK(counter.runs() - runs >= faultsOf(game) - before);
}

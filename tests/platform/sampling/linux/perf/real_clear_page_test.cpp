// Sampled zeroing on the kernel that runs the tests, where it may be sampled.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>
#include <string>

#include "platform/sampling/linux/perf/clear_page_sampler.h"
#include "platform/sampling/linux/perf/clear_page_sampling.h"
#include "platform/sampling/linux/proc/sampler.h"
#include "tests/support/huge_pages.h"
#include "tests/support/skip_unavailable.h"

using namespace faultline;

namespace {

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

constexpr std::size_t kHuge = std::size_t{2} << 20U;
constexpr std::size_t kBytes = 8 * kHuge;

struct Work {
  std::uint64_t systemNanoseconds = 0;
  std::uint64_t faults = 0;
  std::uint64_t rounds = 0;

  // Some fragmented machines have none.
  [[nodiscard]] bool inHugePages() const { return rounds > 0 && faults < 2 * rounds * (kBytes / kHuge) + 100; }
};

std::uint64_t systemTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_stime.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(usage.ru_stime.tv_usec) * 1'000;
}
std::uint64_t faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt);
}

Work populate(char* memory, std::uint64_t nanoseconds) {
  const std::uint64_t begin = systemTime();
  const std::uint64_t faultsBefore = faults();
  Work work;
  while (work.systemNanoseconds < nanoseconds && madvise(memory, kBytes, MADV_POPULATE_WRITE) == 0) {
    madvise(memory, kBytes, MADV_DONTNEED);
    ++work.rounds;
    work.systemNanoseconds = systemTime() - begin;
  }
  work.faults = faults() - faultsBefore;
  return work;
}

// A child that does nothing but have huge pages cleared, when told to and for as long as told.
class Populator {
 public:
  explicit Populator(int flags = MAP_NORESERVE) : m_flags(flags) {
    REQUIRE(pipe(m_command.data()) == 0);
    REQUIRE(pipe(m_answer.data()) == 0);
    m_pid = fork();
    if (m_pid == 0) live();
    REQUIRE(m_pid > 0);
    close(m_command[0]);
    close(m_answer[1]);  // now its end is the end of what it answers
  }
  ~Populator() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    close(m_command[1]);
    close(m_answer[0]);
  }
  Populator(const Populator&) = delete;
  Populator& operator=(const Populator&) = delete;

  [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(m_pid); }
  [[nodiscard]] Work run(std::uint64_t nanoseconds) {
    Work work;
    REQUIRE(write(m_command[1], &nanoseconds, sizeof nanoseconds) == sizeof nanoseconds);
    REQUIRE(read(m_answer[0], &work, sizeof work) == sizeof work);
    return work;
  }

 private:
  [[noreturn]] void live() {
    close(m_command[1]);
    close(m_answer[0]);
    void* const mapped =
        mmap(nullptr, kBytes + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | m_flags, -1, 0);
    if (mapped == MAP_FAILED) _exit(1);
    const auto aligned = (reinterpret_cast<std::uintptr_t>(mapped) + kHuge - 1) & ~(kHuge - 1);
    auto* const memory = reinterpret_cast<char*>(aligned);
    madvise(memory, kBytes, MADV_HUGEPAGE);
    std::uint64_t nanoseconds = 0;
    while (read(m_command[0], &nanoseconds, sizeof nanoseconds) == sizeof nanoseconds) {
      const Work work = populate(memory, nanoseconds);
      if (write(m_answer[1], &work, sizeof work) != sizeof work) break;
    }
    _exit(0);
  }

  int m_flags;
  pid_t m_pid = -1;
  std::array<int, 2> m_command{};
  std::array<int, 2> m_answer{};
};

std::unique_ptr<Sampler> makeSampler(bool wanted = true) {
  auto sampler = makeProcSampler(systemClock());
  REQUIRE(sampler);
  return withClearPageSampling(std::move(*sampler), wanted);
}

std::unique_ptr<Sampler> samplerOrSkip() {
  auto sampler = makeSampler();
  test::skipIfUnavailable(sampler->hello().quality(ProcessMetric::SampledZeroingTime));
  return sampler;
}

std::optional<std::uint64_t> sampledTime(Sampler& sampler, std::uint32_t pid) {
  Snapshot snapshot;
  REQUIRE(sampler.sample(snapshot));
  for (const ProcessSample& process : snapshot.processes) {
    if (process.key.pid == pid) return process.values.get(ProcessMetric::SampledZeroingTime);
  }
  FAIL("process " << pid << " is not in the snapshot");
  return std::nullopt;
}

// Clearing is nearly all that populating huge pages takes.
void checkShare(std::uint64_t sampled, const Work& work) {
  const double share = static_cast<double>(sampled) / static_cast<double>(work.systemNanoseconds);
  CAPTURE(sampled, work.systemNanoseconds, work.rounds, work.faults, share);
  CHECK(share > 0.5);
  CHECK(share < 1.6);
}

// The reason told to an ordinary user; tests that run as root become one for it.
std::string reasonForNobody() {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(1);
    const auto sampling = ClearPageSampling::open();
    const std::string reason = sampling ? "it works" : sampling.error().why;
    _exit(write(ends[1], reason.data(), reason.size()) > 0 ? 0 : 1);
  }
  close(ends[1]);
  std::array<char, 512> text{};
  const ssize_t size = read(ends[0], text.data(), text.size());
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

std::size_t freeHugetlbPages() {
  std::ifstream file("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
  std::size_t pages = 0;
  file >> pages;
  return pages;
}

int paranoia() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  int level = -1;
  file >> level;
  return level;
}

}  // namespace

TEST_CASE("functions in which no clearing is ever seen give no number, and the reason is told") {
  if (const auto real = ClearPageSampling::open(); !real) SKIP(real.error().why);
  constexpr std::array<std::string_view, 1> kNever{"vprintk"};
  const auto sampling = ClearPageSampling::open(kSamplingPeriod, kNever);
  REQUIRE_FALSE(sampling);
  CHECK(sampling.error().why.find("Samples do not show clearing on this kernel") != std::string::npos);
}

TEST_CASE("a child that populates huge pages is caught clearing them for about that long, one that sleeps never",
          "[in time]") {
  const test::HugePagesTurn turn;
  const auto sampler = samplerOrSkip();
  Populator busy;
  const Populator idle;
  CHECK(sampledTime(*sampler, busy.pid()).has_value());
  const std::uint64_t before = sampledTime(*sampler, busy.pid()).value_or(0);
  const Work work = busy.run(1'000'000'000);
  if (!work.inHugePages()) SKIP("there are no huge pages to be had here");
  checkShare(sampledTime(*sampler, busy.pid()).value_or(0) - before, work);
  CHECK(sampledTime(*sampler, idle.pid()) == 0U);
}

TEST_CASE("a child that populates huge pages of its own pool is caught too") {
  const test::HugePagesTurn turn;
  const auto sampler = samplerOrSkip();
  if (freeHugetlbPages() < kBytes / kHuge + 1) SKIP("vm.nr_hugepages leaves none for this test");
  Populator child(MAP_HUGETLB);
  CHECK(sampledTime(*sampler, child.pid()).has_value());
  const std::uint64_t before = sampledTime(*sampler, child.pid()).value_or(0);
  const Work work = child.run(500'000'000);
  if (work.faults == 0) SKIP("the kernel gave this test no page of the pool");
  checkShare(sampledTime(*sampler, child.pid()).value_or(0) - before, work);
}

TEST_CASE("nothing is sampled while nobody looks; then it goes on from where it was") {
  const test::HugePagesTurn turn;
  const auto sampler = samplerOrSkip();
  Populator child;
  (void)child.run(200'000'000);
  const auto before = sampledTime(*sampler, child.pid());
  REQUIRE(before);
  sampler->attend(false);
  CHECK_FALSE(sampledTime(*sampler, child.pid()));
  (void)child.run(200'000'000);
  CHECK_FALSE(sampledTime(*sampler, child.pid()));
  sampler->attend(true);
  CHECK(sampledTime(*sampler, child.pid()) == before);
  const Work work = child.run(500'000'000);
  if (!work.inHugePages()) SKIP("there are no huge pages to be had here");
  checkShare(sampledTime(*sampler, child.pid()).value_or(0) - before.value_or(0), work);
}

TEST_CASE("sampled zeroing is absent where more was noted than found room, and then goes on", "[in time]") {
  const test::HugePagesTurn turn;
  auto sampling = ClearPageSampling::open(std::chrono::microseconds(80));
  if (!sampling) SKIP(sampling.error().why);
  Populator child;
  Snapshot snapshot;
  snapshot.processes.push_back({{child.pid(), 1}, "child", {}});
  const auto look = [&] {
    sampling->drain();
    sampling->addTo(snapshot);
    return snapshot.processes.front().values.get(ProcessMetric::SampledZeroingTime);
  };
  const auto lookUntilThere = [&] {  // each ring still has to tell how much it has lost
    std::optional<std::uint64_t> there = look();
    for (int tries = 0; tries < 100 && !there; ++tries) {
      (void)child.run(10'000'000);
      there = look();
    }
    return there;
  };
  CHECK(lookUntilThere());
  (void)child.run(1'000'000'000);  // a ring has room for 0.2 s
  CHECK_FALSE(look());
  CHECK(lookUntilThere().value_or(0) > 0);
}

TEST_CASE("what is said of sampled zeroing names the functions and the bias, and no address") {
  const Quality quality = samplerOrSkip()->hello().quality(ProcessMetric::SampledZeroingTime);
  CHECK(quality.grade == Grade::Estimated);
  CHECK(quality.how.find("249") != std::string::npos);
  CHECK(quality.how.find("Right for huge pages, 3 to 20 times too low for small pages") != std::string::npos);
  CHECK(quality.how.find("ffff") == std::string::npos);
}

TEST_CASE("sampling that was switched off says so, and is absent") {
  const auto sampler = makeSampler(false);
  const Quality quality = sampler->hello().quality(ProcessMetric::SampledZeroingTime);
  CHECK(quality.grade == Grade::Unavailable);
  CHECK(quality.enable.find("--no-sampling") != std::string::npos);
  CHECK_FALSE(sampledTime(*sampler, static_cast<std::uint32_t>(getpid())));
}

TEST_CASE("an ordinary user is told which capability sampling needs") {
  if (paranoia() < 1) SKIP("kernel.perf_event_paranoid lets everybody sample here");
  CHECK(reasonForNobody().find("cap_perfmon is missing") != std::string::npos);
}

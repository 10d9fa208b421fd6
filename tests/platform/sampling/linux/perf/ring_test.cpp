// The kernel's own ring buffers, where it lets this process have some.
#include "platform/sampling/linux/perf/ring.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/base/units.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// 50 times as often as Faultline samples, so that a ring is full within a fraction of a second.
perf_event_attr often() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = 80'000;
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
  attributes.exclude_user = 1;
  attributes.exclude_idle = 1;
  return attributes;
}

// Keeps this thread on one processor while it lives.
class Pinned {
 public:
  Pinned() : m_processor(sched_getcpu()) {
    sched_getaffinity(0, sizeof m_before, &m_before);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(m_processor, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~Pinned() { sched_setaffinity(0, sizeof m_before, &m_before); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  [[nodiscard]] int processor() const { return m_processor; }

 private:
  int m_processor;
  cpu_set_t m_before{};
};

PerfRing openOrSkip(int processor) {
  auto ring = PerfRing::open(often(), processor);
  if (!ring) SKIP("sampling is not allowed here: " << std::strerror(ring.error()));
  return std::move(*ring);
}

void workInTheKernel(Nanoseconds duration) {
  constexpr std::size_t kBytes = std::size_t{1} << 20U;
  const auto onProcessor = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
  };
  const Nanoseconds begin = onProcessor();
  while (onProcessor() - begin < duration) {
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    munmap(memory, kBytes);
  }
}

PerfRecords take(PerfRing& ring) {
  PerfRecords records;
  ring.read(records);
  return records;
}

std::size_t ofThisProcess(const PerfRecords& records) {
  return static_cast<std::size_t>(
      std::ranges::count(records.samples, static_cast<std::uint32_t>(getpid()), &PerfSample::pid));
}

}  // namespace

TEST_CASE("a perf ring has the samples of who works in the kernel, until it is told to stop") {
  const Pinned here;
  PerfRing ring = openOrSkip(here.processor());
  workInTheKernel(50ms);
  const PerfRecords first = take(ring);
  CHECK(ofThisProcess(first) > 20);
  CHECK(std::ranges::all_of(first.samples, [](const PerfSample& sample) { return sample.address >> 63U == 1; }));
  ring.enable(false);
  (void)take(ring);
  workInTheKernel(20ms);
  CHECK(take(ring).samples.empty());
  ring.enable(true);
  workInTheKernel(50ms);
  CHECK(ofThisProcess(take(ring)) > 20);
  workInTheKernel(20ms);
  ring.discard();
  CHECK(ofThisProcess(take(ring)) < 20);
}

TEST_CASE("a perf ring that nobody reads says that it is full, and later what was lost") {
  const Pinned here;
  PerfRing ring = openOrSkip(here.processor());
  for (int i = 0; i < 100; ++i) workInTheKernel(10ms);
  const PerfRecords full = take(ring);
  CHECK(full.full);
  CHECK(full.samples.size() > 2000);
  workInTheKernel(20ms);
  const PerfRecords after = take(ring);
  CHECK(after.lost > 0);
  CHECK_FALSE(after.full);
}

TEST_CASE("a processor that is not there has no perf ring, and a moved ring one owner") {
  const Pinned here;
  PerfRing ring = openOrSkip(here.processor());
  const auto missing = PerfRing::open(often(), 1'000'000);
  REQUIRE_FALSE(missing);
  CHECK((missing.error() == ENODEV || missing.error() == EINVAL));
  PerfRing moved = std::move(ring);
  workInTheKernel(20ms);
  CHECK_FALSE(take(moved).samples.empty());
}

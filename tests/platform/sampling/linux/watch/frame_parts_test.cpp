// The parts of each frame's fault time, of a game with known parts: in each tenth frame a page comes late, and the
// thread that brings the page keeps the game from its processor.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "tests/support/fragmented_memory.h"
#include "tests/support/huge_pages.h"
#include "tests/support/late_memory.h"
#include "tests/support/memory_limit.h"
#include "tests/support/skip_unavailable.h"
#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kLateGame{"rate=100", "frames=600", "burst=16", "every=10", "late=20", "spin=10"};

void skipWithoutLatePages() {
  if (geteuid() != 0) SKIP("the game's thread cannot have the class FIFO");
  if (!LateMemory(1).works()) SKIP("there is no userfaultfd");
}

void checkParts(const GameFrameBatch& batch) {
  std::size_t lateFrames = 0;
  std::size_t measured = 0;
  std::size_t right = 0;
  for (const GameFrame& frame : batch.frames) {
    CAPTURE(frame.number);
    if (!frame.values.time(FrameMetric::FaultTime)) continue;
    ++measured;
    REQUIRE(frame.values.faultParts());
    const auto [onProcessor, waiting, blocked] = *frame.values.faultParts();
    CAPTURE(frame.values.time(FrameMetric::FaultTime)->count(), onProcessor.count(), waiting.count(), blocked.count());
    CHECK(abs(onProcessor + waiting + blocked - *frame.values.time(FrameMetric::FaultTime)) <=
          *frame.values.time(FrameMetric::FaultTime) / 50);
    CHECK(onProcessor > 0ns);
    if (*frame.values.time(FrameMetric::FaultTime) < 20ms) continue;
    ++lateFrames;
    CHECK(onProcessor + blocked >= 20ms);  // the page is on its way before the thread leaves its processor
    right += waiting >= 9800us && onProcessor < 10ms ? 1 : 0;
  }
  CHECK(lateFrames >= 4);
  CHECK(4 * right >= 3 * lateFrames);  // the host of a virtual machine may take its processor meanwhile
  CHECK(lateFrames <= measured / 10 + 1);
}

// Games that begin meanwhile run on one processor: pages that wait on another one to be listed are freed later.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof m_before, &m_before);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof m_before, &m_before); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t m_before{};
};

// Another process, of that name, that has its processor for 4 ms of each 10 ms.
class Hogging {
 public:
  explicit Hogging(const char* name) : m_pid(fork()) {
    const sched_param first{.sched_priority = 1};
    if (m_pid != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, name);
    sched_setscheduler(0, SCHED_FIFO, &first);
    for (;;) {
      const auto end = std::chrono::steady_clock::now() + 4ms;
      while (std::chrono::steady_clock::now() < end) continue;
      pause(6ms);
    }
  }
  ~Hogging() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Hogging(const Hogging&) = delete;
  Hogging& operator=(const Hogging&) = delete;

 private:
  pid_t m_pid;
};

}  // namespace

TEST_CASE("The parts of each frame's fault time add up to it, in a game that marks its frames itself") {
  skipWithoutLatePages();
  const Game game(kLateGame);
  auto source = openFrameSource({.pid = game.pid(), .patience = 60s}, systemClock());
  REQUIRE(source);
  GameFrameBatch frames;
  FaultSampleBatch samples;
  while (frames.state == GameState::Running) {
    (*source)->collect(frames, samples);
    pause(10ms);
  }
  skipIfUnavailable((*source)->hello().watched->faultParts);
  checkParts(frames);
}

TEST_CASE("The parts of each frame's fault time add up to it, where frames end at calls of a function", "[slow]") {
  skipWithoutLatePages();
  WatchedByBpf watched(kLateGame);
  skipIfUnavailable(watched.source().hello().watched->faultParts);
  watched.collectAll();
  checkParts(watched.frames);
}

TEST_CASE(
    "Large pages that the kernel zeroes are told apart in their frame, of all threads and of the one that ends it") {
  constexpr std::uint64_t kLarge = 2 << 20;
  const HugePagesTurn turn;
  WatchedByBpf watched({"rate=200", "frames=300", "burst=1024", "every=10", "memory=large"});
  skipIfUnavailable(watched.source().hello().watched->zeroed);
  watched.collectAll();
  int bursts = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    CAPTURE(frame.number, frame.faults());
    const auto large = frame.get(FrameMetric::ZeroedLargeBytes);
    REQUIRE(large);
    if (frame.faults() == 2) ++bursts;  // each thread has its large page, without which it has 512 faults
    if (frame.faults() == 2) CHECK(large == 2 * kLarge);
    if (frame.faults() == 2) CHECK(frame.get(FrameMetric::ThreadZeroedLargeBytes) == kLarge);
    if (frame.faults() == 16) CHECK(large == 0U);
  }
  if (bursts == 0) SKIP("this machine has no large pages for the game");
}

TEST_CASE("Time on the disk is in the frames that read a file which is not in memory, and in no other") {
  WatchedByBpf watched({"rate=100", "frames=200", "burst=512", "every=10", "memory=cold"});
  skipIfUnavailable(watched.source().hello().watched->faultParts);
  watched.collectAll();
  std::size_t cold = 0;
  Nanoseconds all{0};
  Nanoseconds ofThread{0};
  for (const GameFrame& frame : watched.frames.frames) {
    const auto onDisk = frame.values.time(FrameMetric::FaultTimeOnDisk);
    const auto own = frame.values.time(FrameMetric::ThreadFaultTimeOnDisk);
    if (!onDisk || !own) continue;
    CAPTURE(frame.number, frame.faults(), onDisk->count(), own->count());
    const std::uint64_t major = frame.majorFaults().value_or(0);
    CHECK((*onDisk > 0ns) == (major > 0));
    CHECK(*onDisk <= frame.values.faultParts()->blocked);
    CHECK(*own <= *onDisk);
    if (major < 512) continue;
    ++cold;
    CHECK(major == 512);
    CHECK(*onDisk > frame.values.faultParts()->blocked * 9 / 10);
    all += *onDisk;
    ofThread += *own;
  }
  if (cold == 0) SKIP("the file's pages stay in memory");
  CHECK(ofThread > all / 10);  // each thread reads half of the pages
  CHECK(ofThread < all * 9 / 10);
}

TEST_CASE("Time in reclaim is in the frames that go beyond the limit of their group, and in no other") {
  constexpr std::size_t kPages = 4096;
  const MemoryLimit limit(kPages * 4096 / 2);
  if (!limit.works()) SKIP("this user cannot limit the memory of a group of processes");
  WatchedByBpf watched({"rate=50", "frames=80", "burst=4096", "every=10", "memory=cold"});
  skipIfUnavailable(watched.source().hello().watched->faultEfforts);
  limit.join(static_cast<pid_t>(watched.game().pid()));
  watched.collectAll();
  std::size_t reclaiming = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    const auto inReclaim = frame.values.time(FrameMetric::FaultTimeInReclaim);
    const auto own = frame.values.time(FrameMetric::ThreadFaultTimeInReclaim);
    if (!inReclaim || !own) continue;
    CAPTURE(frame.number, frame.faults(), inReclaim->count(), own->count());
    CHECK(*inReclaim <= *frame.values.time(FrameMetric::FaultTime));
    CHECK(*own <= *inReclaim);
    if (frame.faults() < 1000) CHECK(*inReclaim == 0ns);
    reclaiming += *inReclaim > 0ns ? 1 : 0;
  }
  CHECK(reclaiming >= 2);
}

TEST_CASE("Time in compaction is in frames that take a large page while memory is in pieces, and in no other") {
  if (FragmentedMemory::machineKib() > FragmentedMemory::kMostKib)
    SKIP("breaking all memory of this machine into pieces would harm other programs; tests/run --kernels does so");
  const HugePagesTurn turn;
  WatchedByBpf watched({"rate=20", "frames=20000", "burst=1024", "every=10", "memory=large"});
  skipIfUnavailable(watched.source().hello().watched->faultEfforts);
  FragmentedMemory memory;
  std::size_t checked = 0;
  std::size_t compacting = 0;
  watched.collectUntil([&] {
    for (; checked < watched.frames.frames.size(); ++checked) {
      const GameFrame& frame = watched.frames.frames[checked];
      const auto inCompaction = frame.values.time(FrameMetric::FaultTimeInCompaction);
      const auto own = frame.values.time(FrameMetric::ThreadFaultTimeInCompaction);
      if (!inCompaction || !own) continue;
      CAPTURE(frame.number, frame.faults(), inCompaction->count(), own->count());
      CHECK(*inCompaction <= *frame.values.time(FrameMetric::FaultTime));
      CHECK(*own <= *inCompaction);
      if (frame.faults() == 16) CHECK(*inCompaction == 0ns);
      if (frame.faults() >= 1024) CHECK(frame.get(FrameMetric::ZeroedLargeBytes) == 0U);  // it got none
      compacting += *inCompaction > 0ns ? 1 : 0;
      if (frame.faults() != 16) memory.takeLarge();  // that the game has given back after its burst
    }
    return compacting >= 3;
  });
}

TEST_CASE("Waits for a processor name the program that ran there") {
  if (geteuid() != 0) SKIP("the other program cannot have the class FIFO");
  const OneProcessor here;
  const Hogging other("hogging");
  WatchedByBpf watched({"rate=100", "frames=200", "burst=2048", "every=2"});
  skipIfUnavailable(watched.source().hello().watched->path);
  watched.collectAll();
  Nanoseconds behind{0};
  for (const GameFrame& frame : watched.frames.frames) {
    const auto time = frame.values.threadTime();
    if (!time || !frame.get(FrameMetric::ThreadWaitingBehind)) continue;
    const auto waited = frame.values.waitedBehind().value_or(WaitedBehind());
    CAPTURE(frame.number, time->waiting.count(), time->inFaults.waiting.count(), waited.time.count(), waited.program);
    CHECK(waited.time <= time->waiting + time->inFaults.waiting + 100us);
    if (waited.program == "hogging") behind += waited.time;
  }
  CHECK(behind > 100ms);  // other programs of the machine run there, too
}

TEST_CASE("The path of a frame has the waits for a processor of the thread for which its own waits") {
  if (geteuid() != 0) SKIP("the other program cannot have the class FIFO");
  const OneProcessor here;
  const auto waits = [](bool alone) {
    std::optional<Hogging> other;
    if (!alone) other.emplace("hogging");
    WatchedByBpf watched({"rate=50", "frames=100", "burst=16384", "every=2"});
    skipIfUnavailable(watched.source().hello().watched->path);
    watched.collectAll();
    Nanoseconds all{0};
    for (const GameFrame& frame : watched.frames.frames) {
      const auto awaiting = frame.values.time(FrameMetric::ThreadAwaiting);
      if (!awaiting) continue;
      const Nanoseconds waiting = *frame.values.time(FrameMetric::ThreadAwaitedWaiting);
      const Nanoseconds inFaults = *frame.values.time(FrameMetric::ThreadAwaitedFaultTime);
      CAPTURE(frame.number, awaiting->count(), waiting.count(), inFaults.count());
      CHECK(waiting + inFaults <= *awaiting);
      all += waiting;
    }
    return all;
  };
  const Nanoseconds beside = waits(false);
  CHECK(beside > 50ms);  // 4 of each 10 ms, in 50 frames in which the other thread touches 8 192 pages
  CHECK(beside > 2 * waits(true));
}

TEST_CASE("Bytes that a frame gives back are its own, of all threads and of the one that ends it, but for 31 pages") {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kWaiting = 31 * kPage;  // on the processor, that others or later frames free
  const OneProcessor here;
  WatchedByBpf watched({"rate=100", "frames=200", "burst=1024", "every=10", "helper=512"});
  skipIfUnavailable(watched.source().hello().watched->freed);
  watched.collectAll();
  std::size_t bursts = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    const std::uint64_t freed = frame.get(FrameMetric::FreedBytes).value_or(0);
    const std::uint64_t own = frame.get(FrameMetric::ThreadFreedBytes).value_or(0);
    CAPTURE(frame.number, frame.faults(), freed / kPage, own / kPage);
    REQUIRE(frame.get(FrameMetric::FreedBytes));
    REQUIRE(frame.get(FrameMetric::ThreadFreedBytes));
    const bool burst = frame.faults() > 1024;
    bursts += burst ? 1 : 0;
    const std::uint64_t touched = (burst ? 1024 : 16) * kPage;  // the thread frees what the other one touched, too
    CHECK(own + kWaiting >= touched);
    CHECK(own <= touched + 2 * kWaiting);  // also what other processes on this processor have left in another list
    CHECK(freed + 2 * kWaiting >= touched + 512 * kPage);
    CHECK(freed <= touched + 512 * kPage + 2 * kWaiting);
  }
  CHECK(bursts >= 2);
}

TEST_CASE("Large pages that are given back count whole", "[slow]") {
  constexpr std::uint64_t kLarge = 2 << 20;
  const HugePagesTurn turn;
  WatchedByBpf watched({"rate=200", "frames=1000", "burst=1024", "every=10", "memory=large"});
  skipIfUnavailable(watched.source().hello().watched->freed);
  watched.collectAll();
  int bursts = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    if (frame.faults() != 2) continue;
    ++bursts;
    CAPTURE(frame.number);
    CHECK(frame.get(FrameMetric::FreedBytes) >= 2 * kLarge);
    CHECK(frame.get(FrameMetric::FreedBytes) <= 2 * kLarge + 2 * 31 * 4096);
  }
  if (bursts == 0) SKIP("this machine has no large pages for the game");
}

TEST_CASE("A thread sleeps after a fault that never ended, too") {
  WatchedByBpf watched({"rate=100", "frames=200", "burst=16", "refused=1"});
  skipIfUnavailable(watched.source().hello().watched->faultParts);
  watched.collectAll();
  Nanoseconds lasted{0};
  Nanoseconds slept{0};
  for (const GameFrame& frame : watched.frames.frames) {
    if (!frame.values.threadTime()) continue;
    lasted += frame.duration;
    slept += frame.values.threadTime()->sleeping;
  }
  REQUIRE(lasted > 0ns);
  CHECK(slept > lasted / 3);
}

TEST_CASE("The time of giving memory back is in the frames that do so, where the kernel's functions can be watched") {
  const Game game({"rate=200", "frames=300", "burst=4096", "every=10"});
  auto source = openFrameSource({.pid = game.pid(), .patience = 60s}, systemClock());
  REQUIRE(source);
  GameFrameBatch frames;
  FaultSampleBatch samples;
  while (frames.state == GameState::Running) {
    (*source)->collect(frames, samples);
    pause(10ms);
  }
  const Quality quality = (*source)->hello().watched->teardown;
  if (quality.grade == Grade::Unavailable) {
    CHECK_FALSE(quality.how.empty());
    for (const GameFrame& frame : frames.frames) CHECK_FALSE(frame.values.time(FrameMetric::TeardownTime));
    SKIP(quality.how);
  }
  Nanoseconds inBursts{0};
  Nanoseconds inOthers{0};
  for (const GameFrame& frame : frames.frames) {
    if (!frame.values.time(FrameMetric::ThreadTeardownTime)) continue;
    CAPTURE(frame.number);
    CHECK(*frame.values.time(FrameMetric::ThreadTeardownTime) > 0ns);
    CHECK(*frame.values.time(FrameMetric::ThreadTeardownTime) <= frame.duration);
    CHECK(*frame.values.time(FrameMetric::TeardownTime) >= *frame.values.time(FrameMetric::ThreadTeardownTime));
    (frame.values.minorFaults() > 1000 ? inBursts : inOthers) += *frame.values.time(FrameMetric::ThreadTeardownTime);
  }
  CHECK(inBursts > inOthers);
}

TEST_CASE("Threads that end without memory of their own give nothing back in a frame") {
  WatchedByBpf watched({"rate=200", "frames=20000", "burst=256", "every=10", "idle=4"});
  const WatchedGame game = *watched.source().hello().watched;
  skipIfUnavailable(game.teardown);
  skipIfUnavailable(game.freed);
  watched.collectUntil([&] { return watched.frames.frames.size() >= 100; });
  std::size_t timed = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    if (!frame.values.time(FrameMetric::ThreadTeardownTime)) continue;
    CAPTURE(frame.number);
    ++timed;
    CHECK(frame.values.time(FrameMetric::TeardownTime) == frame.values.time(FrameMetric::ThreadTeardownTime));
  }
  CHECK(timed > 50);
}

}  // namespace faultline::test

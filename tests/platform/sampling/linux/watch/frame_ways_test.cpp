// The same game, watched in every way that this machine allows: all results must agree.
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "platform/sampling/linux/facts/privilege.h"
#include "tests/support/in_child.h"
#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr uid_t kOrdinaryUser = 54321;
constexpr std::uint64_t kPerfmon = std::uint64_t{1} << CAP_PERFMON;

struct WatchWay {
  const char* name;
  std::unique_ptr<FrameSource> source;
  GameFrameBatch told;
};

MonotonicTime endOf(const GameFrame& frame) {
  return frame.start + frame.duration;
}

std::vector<WatchWay> allWays(const Game& game) {
  std::vector<WatchWay> ways;
  const auto add = [&](const char* name, Result<std::unique_ptr<FrameSource>> source) {
    if (source) ways.push_back({name, std::move(*source), {}});
    else UNSCOPED_INFO(name << ": " << source.error().message);
  };
  add("header", openFrameSource({.pid = game.pid(), .patience = 60s}, systemClock()));
  const auto held = [&](auto open) -> Result<std::unique_ptr<FrameSource>> {
    auto target = WatchTarget::open(game.pid());
    if (!target) return tl::unexpected(target.error());
    std::vector<ProbeFile> files;
    auto file = ProbeFile::open(*target, present());
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
    return open(*target, files, WatchOptions{.pid = game.pid(), .probes = {present()}});
  };
  add("BPF", held([](auto& target, const auto& files, const auto& options) -> Result<std::unique_ptr<FrameSource>> {
        auto source = openBpfFrames(target, files, options, systemClock());
        if (!source) return fail(source.error().why);
        return std::move(*source);
      }));
  add("perf", held([](auto& target, const auto& files, const auto& options) {
        return PerfFrames::open(std::move(target), options, files, systemClock());
      }));
  add("assumed", openFrameSource({.pid = game.pid(), .assumedRate = 1000}, systemClock()));
  return ways;
}

void collectAll(std::vector<WatchWay>& ways) {
  FaultSampleBatch samples;
  const MonotonicTime end = systemClock().now() + 60s;
  const auto ended = [](const WatchWay& way) { return way.told.state != GameState::Running; };
  while (!std::ranges::all_of(ways, ended)) {
    for (WatchWay& way : ways)
      if (!ended(way)) way.source->collect(way.told, samples);
    REQUIRE(systemClock().now() < end);
    pause(1ms);
  }
}

// The game reaches its own mark just before it calls the function.
void checkSameFrames(const GameFrameBatch& header, const GameFrameBatch& other) {
  CHECK(other.lost == 0);
  REQUIRE(other.frames.size() > 50);
  for (const GameFrame& frame : other.frames) {
    const auto next = std::ranges::upper_bound(header.frames, endOf(frame), {}, endOf);
    REQUIRE(next != header.frames.begin());
    const GameFrame& own = *std::prev(next);
    CAPTURE(own.number);
    REQUIRE(frame.values.minorFaults() == own.minorFaults());
    REQUIRE(frame.values.majorFaults() == own.majorFaults());
    REQUIRE(frame.values.get(FrameMetric::ThreadMinorFaults) == own.get(FrameMetric::ThreadMinorFaults));
    REQUIRE(frame.thread == own.thread);
  }
}

// A reading counts the faults up to some time before the next reading.
void checkSameTotal(const GameFrameBatch& header, const GameFrameBatch& assumed) {
  const MonotonicTime first = header.frames.front().start;
  const MonotonicTime last = endOf(header.frames.back());
  const auto inside = [&](const GameFrame& frame) { return frame.start > first && endOf(frame) + 100ms < last; };
  std::vector<GameFrame> readings;
  std::ranges::copy_if(assumed.frames, std::back_inserter(readings), inside);
  REQUIRE(readings.size() > 10);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i + 1 < readings.size(); ++i) total += readings[i].values.minorFaults();
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  for (const GameFrame& frame : header.frames) {
    if (frame.start >= endOf(readings.front()) && endOf(frame) <= readings.back().start)
      least += frame.values.minorFaults();
    if (endOf(frame) >= readings.front().start && frame.start <= endOf(readings.back()))
      most += frame.values.minorFaults();
  }
  CHECK(total >= least);
  CHECK(total <= most);
}

// The frames that a child has seen of a game, of kOrdinaryUser or ours.
struct Account {
  std::uint64_t usual = 0;
  std::uint64_t bursts = 0;
  std::uint64_t others = 0;
  std::uint64_t lost = 0;
  std::uint64_t faults = 0;
  std::uint64_t sampled = 0;   // faults that the samples and the lost samples stand for
  std::uint64_t complete = 0;  // such samples in that game, with thread, registers and stack
  std::uint64_t samples = 0;
  Grade grade = Grade::Unavailable;
  Grade sampleGrade = Grade::Unavailable;
  bool byPerf = false;
  bool samplesByPerf = false;
  bool refused = false;

  void add(const FaultSampleBatch& batch) {
    sampled += batch.lost * kSampleEvery;
    samples = batch.samples.size();
    for (const FaultSample& sample : batch.samples) {
      sampled += sample.weight;
      const bool named = sample.threadName == "fake_game" && sample.thread != 0 && sample.address != 0;
      complete += named && !sample.registers.empty() && !sample.stack.empty() ? 1 : 0;
    }
  }
};

// In a child whose privileges are `capabilities` once the game is held; as its own user, if we are root.
Account accountOf(const Game& game, std::uint64_t capabilities, bool asUser, bool ownMarks = false) {
  void* const memory = mmap(nullptr, sizeof(Account), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const account = new (memory) Account;
  const auto dropped = [&]() -> Result<void> {
    if (!isRoot()) return {};
    if (capabilities == 0 && asUser &&
        (setresgid(kOrdinaryUser, kOrdinaryUser, kOrdinaryUser) != 0 ||
         setresuid(kOrdinaryUser, kOrdinaryUser, kOrdinaryUser) != 0))
      return fail("not changed");
    if (capabilities == 0) return {};
    if (const auto became = becomeNobody(); !became) return became;
    return setCapabilities(capabilities, capabilities);
  };
  const int code = inChild([&] {
    const MonotonicTime end = systemClock().now() + 60s;
    Result<std::unique_ptr<FrameSource>> source = fail("");
    WatchOptions options{.pid = game.pid(), .patience = 60s};
    if (ownMarks) options.samples = SampleMode::Some;
    else options.probes = {present()};
    while (!WatchTarget::open(game.pid()) || !ProbeFile::open(*WatchTarget::open(game.pid()), present())) {
      if (systemClock().now() > end) return 1;
      pause(1ms);
    }
    source = openFrameSource(options, systemClock(), dropped);
    account->refused = !source;
    if (!source) return 0;
    GameFrameBatch batch;
    FaultSampleBatch samples;
    while (batch.state == GameState::Running) {
      if (systemClock().now() > end) return 2;
      (*source)->collect(batch, samples);
      pause(5ms);
    }
    account->lost = batch.lost;
    account->add(samples);
    for (const GameFrame& frame : batch.frames) account->faults += frame.faults();
    for (const GameFrame& frame : batch.frames)
      ++(frame.values.minorFaults() == 16     ? account->usual
         : frame.values.minorFaults() == 8192 ? account->bursts
                                              : account->others);
    static_cast<void>((*source)->helloChanged());
    const Hello hello = (*source)->hello();
    account->grade = hello.watched->faults.grade;
    account->byPerf = hello.watched->faults.how.starts_with("Perf events");
    account->sampleGrade = hello.watched->samples.grade;
    account->samplesByPerf = hello.watched->samples.how.starts_with("Perf events");
    return 0;
  });
  CHECK(code == 0);
  const Account copy = *account;
  munmap(memory, sizeof(Account));
  return copy;
}

void checkExact(const Account& account) {
  CHECK(account.lost == 0);
  CHECK(account.others == 0);
  CHECK(account.usual > 100);
  CHECK(account.bursts > 0);
  CHECK(account.bursts <= account.usual / 49 + 1);
}

}  // namespace

TEST_CASE("All ways to watch a game give its frames the same faults", "[in time]") {
  const Game game({"rate=240", "frames=900"});
  std::vector<WatchWay> ways = allWays(game);
  REQUIRE(std::string(ways.front().name) == "header");
  collectAll(ways);
  const GameFrameBatch& header = ways.front().told;
  REQUIRE(header.frames.size() > 50);
  for (const WatchWay& way : ways) {
    INFO(way.name);
    if (way.name == std::string("assumed")) checkSameTotal(header, way.told);
    else checkSameFrames(header, way.told);
  }
}

TEST_CASE("cap_perfmon alone is enough for exact frames") {
  if (!isRoot() || (permittedCapabilities().value_or(0) & kPerfmon) == 0) SKIP("cap_perfmon is not available");
  const Game game({"rate=240", "frames=400", "mark="});
  const Account account = accountOf(game, kPerfmon, false);
  int paranoid = 0;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> paranoid;
  if (account.refused && paranoid > 2) SKIP("the distribution's kernel requires cap_sys_admin at this level");
  REQUIRE_FALSE(account.refused);
  CHECK(account.grade == Grade::Exact);
  CHECK(account.byPerf);
  checkExact(account);
}

TEST_CASE("An ordinary user's own game is watched without any privilege, if the kernel allows that") {
  const Game game({"rate=240", "frames=400", "mark="}, isRoot() ? std::optional(kOrdinaryUser) : std::nullopt);
  const Account account = accountOf(game, 0, true);
  if (account.refused) SKIP("the kernel requires a privilege");
  if (isRoot()) CHECK(account.grade == Grade::Estimated);  // faults inside the kernel are not seen
  CHECK(account.byPerf);
  checkExact(account);
}

TEST_CASE("An ordinary user's own marks have exact counts and sampled stacks, if the kernel allows that") {
  const Game game({"rate=240", "frames=400"}, isRoot() ? std::optional(kOrdinaryUser) : std::nullopt);
  const Account account = accountOf(game, 0, true, true);
  REQUIRE_FALSE(account.refused);
  CHECK(account.grade == Grade::Exact);
  checkExact(account);
  if (account.sampleGrade == Grade::Unavailable) SKIP("the kernel requires a privilege for single faults");
  if (isRoot()) CHECK(account.sampleGrade == Grade::Estimated);  // faults inside the kernel are not seen
  CHECK(account.samplesByPerf);
  CHECK(account.sampled > account.faults / 2);  // the samples of the first frames may be missing
  CHECK(account.sampled < account.faults * 2);
  CHECK(account.complete > account.samples / 2);
}

TEST_CASE("A killed watcher leaves the game running, and its breakpoints free") {
  const Game game({"rate=240", "frames=100000", "mark="});
  const auto opened = [&](std::size_t functions) {
    auto target = WatchTarget::open(game.pid());
    REQUIRE(target);
    auto file = ProbeFile::open(*target, present());
    if (!file) return Result<PerfGame>(fail("not yet"));
    return PerfGame::open({.pid = game.pid(), .functions = std::vector<std::uint64_t>(functions, file->address())},
                          target->folder());
  };
  for (int patience = 0; patience < 1000 && !opened(1); ++patience) pause(10ms);
  const std::size_t most = [&] {
    const auto all = opened(8);
    if (!all) SKIP(all.error().message);
    return all->functions();
  }();
  CHECK(most >= 1);
  for (int round = 0; round < 5; ++round) {
    CHECK(inChild([&] {
            const auto watched = opened(most);
            return watched && watched->functions() == most ? kill(getpid(), SIGKILL) : 1;
          }) == -SIGKILL);
    CHECK(game.plays());
  }
}

}  // namespace faultline::test

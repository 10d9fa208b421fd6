#include "platform/sampling/nt/sampler.h"

#include <catch2/catch_test_macros.hpp>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "tests/platform/sampling/nt/scripted_sampler.h"
#include "tests/support/allocations.h"

using namespace faultline;
using namespace std::chrono_literals;

using test::ScriptedSampler;

namespace {

constexpr std::uint64_t kPage = 4096;

}  // namespace

TEST_CASE("a sweep of Windows carries the clock, every process and the machine's values") {
  ScriptedSampler scripted;
  scripted.windows.performance = {.available = 1000,
                                  .committed = 2000,
                                  .commitLimit = 0xFFFFFFFF,
                                  .faults = 31,
                                  .copyOnWrite = 32,
                                  .transitions = 33,
                                  .demandZero = 34,
                                  .pageReads = 35};
  scripted.clock.suspend(90s);
  scripted.start();
  scripted.sample();
  const Snapshot& snapshot = scripted.snapshot;
  CHECK(snapshot.time == scripted.clock.now());
  CHECK(snapshot.wallTime == scripted.clock.wall());
  CHECK(snapshot.suspended == 90s);
  CHECK(snapshot.processes.size() == 3);  // without the one of idle processors
  CHECK(std::ranges::is_sorted(snapshot.processes, {}, &ProcessSample::key));
  CHECK(scripted.of(4).name == "System");

  const ProcessSample& game = scripted.of(4096);
  CHECK(game.name == "game.exe");
  CHECK(game.values.get(ProcessMetric::MinorFaults) == 99'960);
  CHECK(game.values.get(ProcessMetric::MajorFaults) == 40);
  CHECK(game.values.get(ProcessMetric::CommitBytes) == 96 << 20);
  CHECK(game.values.get(ProcessMetric::ResidentBytes) == 64 << 20);
  CHECK(game.values.get(ProcessMetric::TouchedPrivateBytes) == 48 << 20);
  CHECK(game.values.get(ProcessMetric::Threads) == 2);
  CHECK(game.values.get(ProcessMetric::ParentPid) == 4000);
  CHECK_FALSE(game.values.has(ProcessMetric::ZeroedBytes));

  const SystemValues& system = snapshot.system;
  CHECK(system.get(SystemMetric::Faults) == 31);
  CHECK(system.get(SystemMetric::CopyOnWriteFaults) == 32);
  CHECK(system.get(SystemMetric::TransitionFaults) == 33);
  CHECK(system.get(SystemMetric::DemandZeroFaults) == 34);
  CHECK(system.get(SystemMetric::MajorFaults) == 35);
  CHECK(system.get(SystemMetric::AvailableBytes) == 1000 * kPage);
  CHECK(system.get(SystemMetric::CommittedBytes) == 2000 * kPage);
  CHECK(system.get(SystemMetric::CommitLimitBytes) == 0xFFFFFFFF * kPage);
  CHECK(system.get(SystemMetric::TotalBytes) == std::uint64_t{16} << 30U);
  CHECK(system.get(SystemMetric::ZeroedListBytes) == 500 * kPage);
  CHECK(system.get(SystemMetric::FreeListBytes) == 20 * kPage);
  CHECK(system.get(SystemMetric::FreeBytes) == 520 * kPage);
  CHECK(system.get(SystemMetric::CollectorCpu) == 75'000);  // this test says that the game is itself
}

TEST_CASE("a metric is absent if and only if Hello calls it unavailable") {
  for (const bool wine : {false, true}) {
    for (const bool lists : {false, true}) {
      for (const bool open : {false, true}) {
        ScriptedSampler scripted;
        scripted.host.wine = wine;
        if (!lists) scripted.windows.memoryLists.reset();
        scripted.windows.mayOpen = open;
        scripted.windows.cycles = {{100, 1}, {104, 2}};
        scripted.start();
        scripted.sample();
        const Hello hello = scripted.sampler->hello();
        for (const Quality& quality : hello.process) CHECK_FALSE(quality.how.empty());
        for (std::size_t i = 0; i < kSystemMetricCount; ++i) {
          const auto metric = static_cast<SystemMetric>(i);
          CAPTURE(field(metric).name);
          CHECK_FALSE(hello.quality(metric).how.empty());
          const bool counted = metric == SystemMetric::MissedDeadlines || metric == SystemMetric::DroppedSnapshots ||
                               metric == SystemMetric::ProcessesLeftOut ||
                               metric == SystemMetric::SweepInterval;  // by the sweep's loop
          if (!counted)
            CHECK(scripted.snapshot.system.has(metric) == (hello.quality(metric).grade != Grade::Unavailable));
        }
        for (std::size_t i = 0; i < kProcessMetricCount; ++i) {
          const auto metric = static_cast<ProcessMetric>(i);
          CAPTURE(field(metric).name);
          CHECK(scripted.of(4096).values.has(metric) == (hello.quality(metric).grade != Grade::Unavailable));
        }
      }
    }
  }
}

TEST_CASE("rates on Windows, across the end of 32 bits") {
  ScriptedSampler scripted;
  auto& windows = scripted.windows;
  windows.process(4096).faults = 0xFFFFFF00;
  windows.process(4096).hardFaults = 0xFFFFFFFE;
  windows.performance.faults = 0xFFFFFFF0;
  scripted.start();
  scripted.sample();
  scripted.clock.tick(2s);
  windows.process(4096).faults += 0x200;  // of which 4 are hard ones
  windows.process(4096).hardFaults += 4;
  windows.performance.faults += 0x300;
  scripted.sample();
  const Moment& now = scripted.monitor.now();
  CHECK(scripted.row(4096).deltas.get(ProcessMetric::MinorFaults) == 0x1FC);
  CHECK(scripted.row(4096).deltas.get(ProcessMetric::MajorFaults) == 4);
  CHECK(now.systemDeltas.get(SystemMetric::Faults) == 0x300);
  CHECK(now.perSecond(now.systemDeltas.get(SystemMetric::Faults)) == 384);
  CHECK(scripted.row(4000).deltas.get(ProcessMetric::MinorFaults) == 0);
}

TEST_CASE("a list that outgrows the buffer is read again, and a shorter list is read at its length") {
  ScriptedSampler scripted;
  scripted.start();
  scripted.sample();
  auto& processes = scripted.windows.processes;
  const auto game = scripted.windows.process(4096);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    processes.push_back(game);
    processes.back().pid = 10'000 + i * 4;
  }
  scripted.sample();
  CHECK(scripted.snapshot.processes.size() == 2003);
  processes.resize(4);
  scripted.sample();
  CHECK(scripted.snapshot.processes.size() == 3);
  CHECK(scripted.of(4096).name == "game.exe");
}

TEST_CASE("the steady state of Windows allocates nothing, however many processes there are") {
  ScriptedSampler scripted;
  scripted.windows.mayOpen = true;
  scripted.windows.cycles = {{100, 1}, {104, 2}};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    scripted.windows.processes.push_back(scripted.windows.process(4096));
    scripted.windows.processes.back().pid = 10'000 + i * 4;
    scripted.windows.processes.back().name = u"a-program-with-a-long-name-\u20ac.exe";
  }
  scripted.start();
  for (int i = 0; i < 3; ++i) REQUIRE(scripted.sampler->sample(scripted.snapshot));
  scripted.windows.freeze();
  const std::uint64_t before = test::allocations();
  const auto sampled = scripted.sampler->sample(scripted.snapshot);
  const std::uint64_t after = test::allocations();
  CHECK(sampled.has_value());
  CHECK(after - before == 0);
  CHECK(scripted.snapshot.processes.size() == 1003);
}

TEST_CASE("a process listed twice is one process") {
  ScriptedSampler scripted;
  scripted.windows.processes.push_back(scripted.windows.process(4096));
  scripted.windows.processes.back().createTime += 5;
  scripted.start();
  scripted.sample();
  CHECK(scripted.snapshot.processes.size() == 3);
}

TEST_CASE("a failed query loses only its own values, and only in its sweep") {
  ScriptedSampler scripted;
  scripted.start();
  for (int failing = 0; failing < 4; ++failing) {
    int call = 0;
    scripted.windows.failure = [&] { return call++ == failing ? 0xC000009AU : kNtSuccess; };
    const auto sampled = scripted.sampler->sample(scripted.snapshot);
    CAPTURE(failing);
    CHECK(sampled.has_value() == (failing != 0));
    if (!sampled) {
      CHECK(sampled.error().message ==
            "The list of processes cannot be read: NtQuerySystemInformation fails for class 5 with status 0xC000009A.");
      continue;
    }
    CHECK(scripted.snapshot.system.has(SystemMetric::Faults) == (failing != 1));
    CHECK(scripted.snapshot.system.has(SystemMetric::ZeroedListBytes) == (failing != 2));
    CHECK(scripted.snapshot.processes.size() == 3);
  }
}

TEST_CASE("at the start only a failed list of processes is fatal") {
  for (int failing = 0; failing < 4; ++failing) {
    ScriptedSampler scripted;
    int call = 0;
    scripted.windows.failure = [&] { return call++ == failing ? 0xC0000001U : kNtSuccess; };
    const auto made = makeNtSampler(scripted.windows.functions(), scripted.host, scripted.clock);
    CAPTURE(failing);
    CHECK(made.has_value() == (failing != 0));
    if (!made) continue;
    REQUIRE((*made)->sample(scripted.snapshot));
    const Hello hello = (*made)->hello();
    for (const SystemMetric metric : {SystemMetric::Faults, SystemMetric::CommittedBytes, SystemMetric::FreeBytes})
      CHECK(scripted.snapshot.system.has(metric) == (hello.quality(metric).grade != Grade::Unavailable));
  }
}

TEST_CASE("an invalid list of processes is an error, not a shorter list") {
  ScriptedSampler scripted;
  scripted.start();
  NtFunctions nt = scripted.windows.functions();
  bool broken = false;
  const auto query = nt.query;
  nt.query = [&, query](NtClass what, std::span<std::byte> out, std::uint32_t& length) {
    const std::uint32_t status = query(what, out, length);
    if (broken && what == NtClass::Processes && status == kNtSuccess) out[length - 0x108] = std::byte{0x7F};
    return status;
  };
  scripted.windows.processes.back().name.clear();
  scripted.windows.processes.back().threads.clear();
  auto sampler = makeNtSampler(nt, scripted.host, scripted.clock);
  REQUIRE(sampler);
  REQUIRE((*sampler)->sample(scripted.snapshot));
  broken = true;
  const auto sampled = (*sampler)->sample(scripted.snapshot);
  REQUIRE_FALSE(sampled);
  CHECK(sampled.error().message == "The system's list of processes is invalid after 3 processes.");
}

TEST_CASE("a snapshot of Windows passes through the stream unchanged, names that are no text included") {
  ScriptedSampler scripted;
  scripted.windows.mayOpen = true;
  scripted.windows.cycles = {{100, UINT64_MAX / 4}, {104, 5}};
  scripted.windows.process(4096).name = {u'a', 0, 0xD83C, u'b'};
  scripted.start();
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(scripted.sampler->hello()));
  const auto hello = decoder.next();
  REQUIRE(hello);
  CHECK(std::get<Hello>(*hello) == scripted.sampler->hello());
  for (int i = 0; i < 3; ++i) {
    scripted.windows.process(4096).faults += 0x60000000;
    scripted.windows.cycles[104] += 7;
    scripted.clock.tick(1s);
    scripted.sample();
    decoder.feed(encoder.snapshot(scripted.snapshot));
    const auto read = decoder.next();
    REQUIRE(read);
    CHECK(*std::get<const Snapshot*>(*read) == scripted.snapshot);
  }
  CHECK(scripted.of(4096).name ==
        "a\xc0\x80\xed\xa0\xbc"
        "b");
}

// How much is known of zeroing, and what of the rest, and how Hello says so.
#include "tests/platform/sampling/nt/scripted_sampler.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::ScriptedSampler;

namespace {

constexpr const char* kElevate =
    "Give the collector alone an administrator's rights: Measure zeroing too in the window, --elevate in the terminal.";

// As measured: lists, names, times and sizes are right, everything that counts faults is 0, there is no process 4, and
// every ordinary thread has base priority 0.
void becomeWine(ScriptedSampler& scripted) {
  auto& windows = scripted.windows;
  std::erase_if(windows.processes, [](const auto& process) { return process.pid == 4 || process.pid == 0; });
  for (auto& process : windows.processes) {
    process.faults = process.hardFaults = 0;
    process.privateBytes = process.privateWorkingSet = 0;
    for (auto& thread : process.threads) {
      thread.basePriority = thread.priority = 0;
      thread.switches = 0;
      thread.startAddress = 0;
    }
  }
  windows.performance.faults = 0;
  windows.memoryLists.reset();
}

}  // namespace

TEST_CASE("with handles, the cycles of zero-page threads are counted") {
  ScriptedSampler scripted;
  scripted.host.debugPrivilege = true;
  scripted.windows.mayOpen = true;
  scripted.windows.cycles = {{100, 1'000'000}, {104, 2'000'000}};
  scripted.start();
  CHECK(scripted.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Exact);
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreads) == 2);
  scripted.clock.tick(1s);
  scripted.windows.cycles[104] += 3'000'000'000;
  scripted.windows.process(4).threads[1].kernelTime += 156'250;
  scripted.windows.process(4).threads[1].switches += 8;
  scripted.sample();
  const Moment& now = scripted.monitor.now();
  CHECK(now.systemDeltas.get(SystemMetric::ZeroThreadCycles) == 3'000'000'000);
  CHECK(now.systemDeltas.get(SystemMetric::ZeroThreadTime) == 15'625'000);
  CHECK(now.systemDeltas.get(SystemMetric::ZeroThreadSwitches) == 8);

  scripted.clock.tick(1s);  // memory is taken out, and with it the threads of a node
  scripted.windows.process(4).threads.pop_back();
  scripted.windows.cycles[100] += 7;
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreads) == 1);
  CHECK(scripted.monitor.now().systemDeltas.get(SystemMetric::ZeroThreadCycles) == 7);
  CHECK(scripted.windows.handles.size() == 1);
  scripted.sampler.reset();
  CHECK(scripted.windows.handles.empty());
}

TEST_CASE("without the privilege, times and context switches of zero-page threads are counted") {
  for (const bool privilege : {false, true}) {
    ScriptedSampler scripted;
    scripted.host.debugPrivilege = privilege;
    scripted.windows.mayOpen = privilege;  // and yet the cycles are not told
    scripted.start();
    const Quality cycles = scripted.quality(SystemMetric::ZeroThreadCycles);
    CHECK(cycles.grade == Grade::Unavailable);
    CHECK(cycles.how.find("SeDebugPrivilege") != std::string::npos);
    CHECK(cycles.enable == (privilege ? "" : kElevate));
    CHECK(scripted.quality(SystemMetric::ZeroThreadTime).grade == Grade::Estimated);
    CHECK(scripted.quality(SystemMetric::ZeroThreadTime).how.find("15.6 ms") != std::string::npos);
    CHECK(scripted.quality(SystemMetric::ZeroThreadSwitches).grade == Grade::Exact);
    scripted.sample();
    CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreadTime) == 200'000);
    CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreadSwitches) == 100);
    CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroThreadCycles));
  }
}

TEST_CASE("the cycles of process System need no privilege, and are told as an upper bound of zeroing") {
  ScriptedSampler scripted;
  scripted.windows.process(4).cycles = 5'000'000'000;
  scripted.start();
  const Quality& quality = scripted.quality(SystemMetric::SystemProcessCycles);
  CHECK(quality.grade == Grade::Exact);
  CHECK(quality.how.find("CycleTime of process 4; an upper bound") != std::string::npos);
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::SystemProcessCycles) == 5'000'000'000);
  scripted.clock.tick(1s);
  scripted.windows.process(4).cycles += 3'000'000;
  scripted.sample();
  CHECK(scripted.monitor.now().systemDeltas.get(SystemMetric::SystemProcessCycles) == 3'000'000);
}

TEST_CASE("the collector's own time comes from its cycles, or else from ticks, and Hello says from which") {
  ScriptedSampler scripted;
  scripted.windows.ownCycles = 3'000'000'000;
  scripted.host.cyclesPerSecond = 2'000'000'000;
  scripted.start();
  CHECK(scripted.quality(SystemMetric::CollectorCpu).how.starts_with("QueryProcessCycleTime, by the cycles"));
  CHECK(scripted.quality(SystemMetric::CollectorCpu).grade == Grade::Estimated);
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::CollectorCpu) == 1'500'000'000);
  CHECK(scripted.snapshot.system.get(SystemMetric::CyclesPerSecond) == 2'000'000'000);
  scripted.windows.ownCycles = UINT64_MAX / 2;  // of decades
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::CollectorCpu) == 4'611'686'018'427'387'903);
  scripted.windows.ownCycles.reset();  // absent, not of another source
  scripted.sample();
  CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::CollectorCpu));

  for (const bool cycles : {false, true}) {
    ScriptedSampler ticks;
    if (cycles) ticks.windows.ownCycles = 7;
    ticks.host.cyclesPerSecond = cycles ? 0 : 2'000'000'000;
    ticks.start();
    ticks.sample();
    CHECK(ticks.quality(SystemMetric::CollectorCpu).how.find("ticks of about 15.6 ms") != std::string::npos);
    CHECK(ticks.snapshot.system.get(SystemMetric::CollectorCpu) == 75'000);
  }
}

TEST_CASE(
    "a zeroing thread that cannot be opened later makes the cycles unavailable while it lives, and Hello says so") {
  ScriptedSampler scripted;
  scripted.windows.mayOpen = true;
  scripted.windows.cycles = {{100, 5}, {104, 7}};
  scripted.start();
  scripted.sample();
  CHECK_FALSE(scripted.sampler->helloChanged());
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreadCycles) == 12);

  scripted.windows.mayOpen = false;  // the privilege is given up
  auto late = scripted.windows.process(4).threads.back();
  late.id = 900;
  scripted.windows.process(4).threads.push_back(late);
  for (const bool changed : {true, false}) {
    scripted.sample();
    CHECK(scripted.sampler->helloChanged() == changed);
    CHECK(scripted.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Unavailable);
    CHECK(scripted.quality(SystemMetric::ZeroThreadCycles).enable.starts_with("Start the collector anew"));
    CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroThreadCycles));
    CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreads) == 3);
  }
  scripted.windows.process(4).threads.pop_back();
  scripted.sample();
  CHECK(scripted.sampler->helloChanged());
  CHECK(scripted.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Exact);
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreadCycles) == 12);
}

TEST_CASE("with a handle of only one of two threads, cycles are unavailable") {
  ScriptedSampler scripted;
  scripted.windows.mayOpen = true;
  scripted.windows.cycles = {{100, 5}};
  scripted.start();
  CHECK(scripted.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Unavailable);
  scripted.windows.cycles[104] = 5;  // later is too late: Hello has spoken
  scripted.sample();
  CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroThreadCycles));
}

TEST_CASE("without process 4 zeroing is unavailable, whatever threads have base priority 0") {
  ScriptedSampler scripted;
  std::erase_if(scripted.windows.processes, [](const auto& process) { return process.pid == 4; });
  scripted.start();
  scripted.sample();
  for (const SystemMetric metric : {SystemMetric::ZeroThreads, SystemMetric::ZeroThreadCycles,
                                    SystemMetric::ZeroThreadTime, SystemMetric::ZeroThreadSwitches}) {
    CHECK(scripted.quality(metric).grade == Grade::Unavailable);
    CHECK(scripted.quality(metric).how == "Process 4, whose threads zero pages, is not visible");
    CHECK_FALSE(scripted.snapshot.system.has(metric));
  }
}

TEST_CASE("a process 4 without threads of base priority 0 has 0 zero-page threads") {
  ScriptedSampler scripted;
  scripted.windows.process(4).threads.resize(1);
  scripted.start();
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreads) == 0);
  CHECK(scripted.quality(SystemMetric::ZeroThreadTime).grade == Grade::Unavailable);
  CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroThreadTime));
}

TEST_CASE("a sweep without process 4 has no sums, and the sums continue afterwards") {
  ScriptedSampler scripted;
  scripted.start();
  scripted.sample();
  const auto system = scripted.windows.process(4);
  std::erase_if(scripted.windows.processes, [](const auto& process) { return process.pid == 4; });
  scripted.sample();
  CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroThreadTime));
  scripted.windows.processes.push_back(system);
  scripted.windows.process(4).threads[1].kernelTime += 5;
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::ZeroThreadTime) == 200'500);
}

TEST_CASE("under Wine a number that is always 0 is unavailable, and the reason names Wine") {
  ScriptedSampler scripted;
  becomeWine(scripted);
  scripted.host.wine = true;
  scripted.start();
  scripted.sample();
  for (const ProcessMetric metric :
       {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults, ProcessMetric::TouchedPrivateBytes}) {
    CHECK(scripted.quality(metric).grade == Grade::Unavailable);
    CHECK(scripted.quality(metric).how.starts_with("Wine does not provide "));
    CHECK(scripted.quality(metric).enable.empty());
    CHECK_FALSE(scripted.of(4096).values.has(metric));
  }
  for (const SystemMetric metric : {SystemMetric::Faults, SystemMetric::MajorFaults, SystemMetric::DemandZeroFaults,
                                    SystemMetric::TransitionFaults, SystemMetric::CopyOnWriteFaults}) {
    CHECK(scripted.quality(metric).grade == Grade::Unavailable);
    CHECK_FALSE(scripted.snapshot.system.has(metric));
  }
  CHECK(scripted.quality(ProcessMetric::CommitBytes).how == "SystemProcessInformation, PagefileUsage");
  CHECK(scripted.of(4096).values.get(ProcessMetric::CommitBytes) == 90 << 20);
  CHECK(scripted.of(4096).values.get(ProcessMetric::ResidentBytes) == 64 << 20);
  CHECK(scripted.snapshot.system.has(SystemMetric::CommittedBytes));
  CHECK(scripted.quality(SystemMetric::SystemProcessCycles).how ==
        "Wine has no process 4, whose threads zero pages on Windows");
  CHECK(scripted.quality(SystemMetric::CyclesPerSecond).how == "Wine does not provide QueryThreadCycleTime");
  CHECK(scripted.quality(SystemMetric::ZeroThreads).how ==
        "Wine has no process 4, whose threads zero pages on Windows");
  CHECK(scripted.quality(SystemMetric::ZeroedListBytes).how == "Wine does not provide SystemMemoryListInformation");
  CHECK(scripted.quality(SystemMetric::ZeroedListBytes).enable.empty());
}

TEST_CASE("a system that counts no faults is not trusted with other zeros") {
  ScriptedSampler scripted;
  becomeWine(scripted);
  scripted.start();
  CHECK(scripted.quality(ProcessMetric::MinorFaults).how ==
        "This system does not provide PageFaultCount: it is always 0");
}

TEST_CASE("a number that a later Wine provides is used") {
  ScriptedSampler scripted;
  becomeWine(scripted);
  scripted.host.wine = true;
  scripted.windows.process(4000).faults = 12;
  scripted.windows.performance.demandZero = 9;
  scripted.start();
  scripted.sample();
  CHECK(scripted.quality(ProcessMetric::MinorFaults).grade == Grade::Estimated);  // hard ones are among them
  CHECK(scripted.of(4096).values.get(ProcessMetric::MinorFaults) == 0);
  CHECK(scripted.snapshot.system.get(SystemMetric::DemandZeroFaults) == 9);
}

TEST_CASE("on Windows 0 is a count") {
  ScriptedSampler scripted;
  for (auto& process : scripted.windows.processes) process.hardFaults = 0;
  scripted.start();
  scripted.sample();
  CHECK(scripted.of(4096).values.get(ProcessMetric::MajorFaults) == 0);
  CHECK(scripted.snapshot.system.get(SystemMetric::DemandZeroFaults) == 0);
  CHECK(scripted.quality(ProcessMetric::MinorFaults).wrapBits == 32);
  CHECK(scripted.quality(SystemMetric::DemandZeroFaults).wrapBits == 32);
}

TEST_CASE("the quality of page lists for administrators names the privilege") {
  ScriptedSampler scripted;
  scripted.windows.memoryLists.reset();
  scripted.start();
  CHECK(scripted.quality(SystemMetric::FreeListBytes).enable == kElevate);
  CHECK(scripted.quality(SystemMetric::FreeBytes).how ==
        "NtQuerySystemInformation fails for class 80 with status 0xC0000022");
}

TEST_CASE("metrics of Linux alone are not applicable on Windows, and those of Windows are described") {
  ScriptedSampler scripted;
  scripted.start();
  for (const auto& row : kSystemFields)
    if (row.systems != Systems::All)
      CHECK(ofNoConcern(scripted.quality(row.metric)) == (row.systems == Systems::Linux));
}

TEST_CASE("where the lists are refused, PDH gives their sum once a second, and Hello calls it that") {
  ScriptedSampler scripted;
  scripted.windows.memoryLists.reset();
  scripted.windows.listBytes = 9 << 20;
  scripted.start();
  CHECK(scripted.quality(SystemMetric::FreeBytes).grade == Grade::Estimated);
  CHECK(scripted.quality(SystemMetric::FreeBytes).how.starts_with("PDH, \\Memory\\Free & Zero Page List Bytes"));
  CHECK(scripted.quality(SystemMetric::ZeroedListBytes).grade == Grade::Unavailable);
  CHECK(scripted.quality(SystemMetric::ZeroedListBytes).enable == kElevate);
  CHECK_FALSE(scripted.sampler->needs().privileges);
  scripted.sample();
  const int before = scripted.windows.listReads;
  CHECK(scripted.snapshot.system.get(SystemMetric::FreeBytes) == 9 << 20);
  CHECK_FALSE(scripted.snapshot.system.has(SystemMetric::ZeroedListBytes));
  scripted.windows.listBytes = 7 << 20;
  scripted.clock.tick(std::chrono::milliseconds(900));
  scripted.sample();
  CHECK(scripted.windows.listReads == before);
  CHECK(scripted.snapshot.system.get(SystemMetric::FreeBytes) == 9 << 20);
  scripted.clock.tick(std::chrono::milliseconds(100));
  scripted.sample();
  CHECK(scripted.snapshot.system.get(SystemMetric::FreeBytes) == 7 << 20);
}

TEST_CASE("lists that are readable are not asked of PDH") {
  ScriptedSampler scripted;
  scripted.windows.listBytes = 1;
  scripted.start();
  scripted.sample();
  CHECK(scripted.windows.listReads == 0);
  CHECK(scripted.snapshot.system.get(SystemMetric::FreeBytes) == 520 * 4096);
}

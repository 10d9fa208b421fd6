#include "platform/sampling/nt/quality.h"

namespace faultline {
namespace {

constexpr std::uint8_t kCounterBits = 32;
constexpr const char* kProcessInformation = "SystemProcessInformation, ";
constexpr const char* kPerformanceInformation = "SystemPerformanceInformation, ";
constexpr const char* kElevate =
    "Give the collector alone an administrator's rights: Measure zeroing too in the window, --elevate in the terminal.";

Quality counter(std::string how) {
  return {.grade = Grade::Exact, .how = std::move(how), .enable = {}, .wrapBits = kCounterBits};
}

// A number that is 0 in all processes is not counted, unless the kernel is known to count it.
std::string notProvided(const NtHost& host, const std::string& what) {
  return (host.wine ? "Wine does not provide " : "This system does not provide ") + what + ": it is always 0";
}

Quality provided(bool there, Quality quality, const NtHost& host, const std::string& what) {
  return there ? std::move(quality) : unavailable(notProvided(host, what));
}

void describeFaults(const NtView& view, const NtHost& host, Hello& hello) {
  const NtFields& fields = view.fields;
  const std::string source = kProcessInformation;
  const bool both = fields.faults && fields.hardFaults;
  Quality minor = counter(source + "PageFaultCount less HardFaultCount");
  if (!both) {
    minor = counter(source + "PageFaultCount; hard faults are included");
    minor.grade = Grade::Estimated;
  }
  hello.quality(ProcessMetric::MinorFaults) = provided(fields.faults, minor, host, "PageFaultCount");
  hello.quality(ProcessMetric::MajorFaults) =
      provided(fields.hardFaults, counter(source + "HardFaultCount"), host, "HardFaultCount");
}

void describeMemory(const NtView& view, const NtHost& host, Hello& hello) {
  const NtFields& fields = view.fields;
  const std::string source = kProcessInformation;
  const Quality commit = exact(source + (fields.privateBytes ? "PrivatePageCount" : "PagefileUsage"));
  hello.quality(ProcessMetric::CommitBytes) =
      provided(fields.privateBytes || fields.pagefileBytes, commit, host, "PrivatePageCount");
  hello.quality(ProcessMetric::ResidentBytes) =
      provided(fields.workingSet, exact(source + "WorkingSetSize"), host, "WorkingSetSize");
  hello.quality(ProcessMetric::TouchedPrivateBytes) =
      provided(fields.privateWorkingSet,
               estimated(source + "WorkingSetPrivateSize; pages that have left the working set are not counted"), host,
               "WorkingSetPrivateSize");
  hello.quality(ProcessMetric::Threads) = exact(source + "NumberOfThreads");
  hello.quality(ProcessMetric::ParentPid) =
      exact(source + "InheritedFromUniqueProcessId, where that process lives and is older");
  for (const ProcessMetric metric : {ProcessMetric::ZeroedBytes, ProcessMetric::ZeroedLargeBytes,
                                     ProcessMetric::ZeroingTime, ProcessMetric::SampledZeroingTime})
    hello.quality(metric) = unavailable("Windows does not report for which process it zeroes pages");
  for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime,
                                     ProcessMetric::TimedFaults, ProcessMetric::TimedMajorFaults})
    hello.quality(metric) = unavailable("Windows does not measure the time in page faults");
}

void describeMachine(const NtView& view, const NtHost& host, Hello& hello) {
  const auto set = [&](SystemMetric metric, bool there, Quality quality, const std::string& what) {
    quality.how = kPerformanceInformation + quality.how;
    if (!view.counters) quality = unavailable("SystemPerformanceInformation cannot be read");
    else if (!there) quality = unavailable(notProvided(host, what));
    hello.quality(metric) = std::move(quality);
  };
  Quality reads = counter("PageReadIoCount: disk reads for hard faults; several faults may share a read");
  reads.grade = Grade::Estimated;
  const NtCounters counters = view.counters.value_or(NtCounters{});
  set(SystemMetric::Faults, counters.faults, counter("PageFaultCount"), "PageFaultCount");
  set(SystemMetric::MajorFaults, counters.pageReads, reads, "PageReadIoCount");
  set(SystemMetric::DemandZeroFaults, counters.demandZero, counter("DemandZeroCount"), "DemandZeroCount");
  set(SystemMetric::TransitionFaults, counters.transitions, counter("TransitionCount"), "TransitionCount");
  set(SystemMetric::CopyOnWriteFaults, counters.copyOnWrite, counter("CopyOnWriteCount"), "CopyOnWriteCount");
  set(SystemMetric::CommittedBytes, true, exact("CommittedPages"), {});
  set(SystemMetric::CommitLimitBytes, true, exact("CommitLimit"), {});
  set(SystemMetric::AvailableBytes, true, exact("AvailablePages: standby, free and zeroed pages"), {});
}

void describeLists(const NtView& view, const NtHost& host, Hello& hello) {
  const auto set = [&](SystemMetric metric, const char* how) {
    if (view.noMemoryLists.empty()) hello.quality(metric) = exact(std::string("SystemMemoryListInformation, ") + how);
    else if (host.wine) hello.quality(metric) = unavailable("Wine does not provide SystemMemoryListInformation");
    else hello.quality(metric) = unavailable(view.noMemoryLists, kElevate);
  };
  set(SystemMetric::ZeroedListBytes, "ZeroPageCount");
  set(SystemMetric::FreeListBytes, "FreePageCount");
  set(SystemMetric::FreeBytes, "ZeroPageCount and FreePageCount");
  if (view.lists == NtLists::Sum)
    hello.quality(SystemMetric::FreeBytes) =
        estimated("PDH, \\Memory\\Free & Zero Page List Bytes: the sum of both lists, read once a second");
}

// Three levels: cycles, with a handle of each thread; times and switches, from the list of threads; nothing.
void describeZeroThreads(const NtView& view, const NtHost& host, Hello& hello) {
  constexpr std::array kActivity{SystemMetric::ZeroThreadCycles, SystemMetric::ZeroThreadTime,
                                 SystemMetric::ZeroThreadSwitches};
  if (!view.zeroThreads || view.zeroThreads->threads == 0) {
    const std::string why = view.zeroThreads ? "No thread of process 4 has base priority 0, that of zero-page threads"
                            : host.wine      ? "Wine has no process 4, whose threads zero pages on Windows"
                                             : "Process 4, whose threads zero pages, is not visible";
    for (const SystemMetric metric : kActivity) hello.quality(metric) = unavailable(why);
    hello.quality(SystemMetric::ZeroThreads) = view.zeroThreads ? exact(why) : unavailable(why);
    return;
  }
  const std::string who =
      "threads of process 4 with base priority 0; other threads zero large pages, and a faulting thread zeroes its "
      "page itself if no zeroed page is left";
  hello.quality(SystemMetric::ZeroThreads) = exact(std::string(kProcessInformation) + who);
  hello.quality(SystemMetric::ZeroThreadTime) =
      estimated("KernelTime in ticks of about 15.6 ms, coarse below a second, of the " + who);
  hello.quality(SystemMetric::ZeroThreadSwitches) = exact("ContextSwitches of the " + who);
  if (view.zeroThreads->cycles) {
    hello.quality(SystemMetric::ZeroThreadCycles) = exact("QueryThreadCycleTime of the " + who);
    return;
  }
  const bool denied = !host.debugPrivilege;
  hello.quality(SystemMetric::ZeroThreadCycles) =
      unavailable(denied ? "The cycles of system threads need SeDebugPrivilege"
                         : "Windows denies the cycles of system threads, although SeDebugPrivilege is held",
                  denied ? kElevate : "");
}

// Cycles are counted at each switch of threads, so they have no ticks.
void describeCycles(const NtView& view, const NtHost& host, Hello& hello) {
  Quality system =
      exact(std::string(kProcessInformation) +
            "CycleTime of process 4; an upper bound of zeroing, as other threads of that process do other work");
  if (!view.zeroThreads) system = hello.quality(SystemMetric::ZeroThreads);
  else if (!view.systemCycles) system = unavailable(notProvided(host, "CycleTime"));
  hello.quality(SystemMetric::SystemProcessCycles) = std::move(system);
  const bool timed = host.cyclesPerSecond > 0;
  hello.quality(SystemMetric::CyclesPerSecond) =
      timed ? estimated("QueryThreadCycleTime of a short loop, measured when the collector started")
            : unavailable(host.wine ? "Wine does not provide QueryThreadCycleTime" : "QueryThreadCycleTime fails");
  hello.quality(SystemMetric::CollectorCpu) =
      view.ownCycles && timed
          ? estimated("QueryProcessCycleTime, by the cycles per second measured when the collector started")
          : estimated(std::string(kProcessInformation) + "KernelTime and UserTime, in ticks of about 15.6 ms");
}

}  // namespace

void describeNtQuality(const NtView& view, const NtHost& host, Hello& hello) {
  hello.process.fill(unavailable(std::string(kNoSuchNumber)));
  describeFaults(view, host, hello);
  describeMemory(view, host, hello);
  describeMachine(view, host, hello);
  describeLists(view, host, hello);
  describeZeroThreads(view, host, hello);
  hello.quality(SystemMetric::TotalBytes) =
      host.machine.memoryBytes > 0 ? exact("GlobalMemoryStatusEx") : unavailable("GlobalMemoryStatusEx fails");
  describeCycles(view, host, hello);
  for (const SystemMetric metric :
       {SystemMetric::MissedDeadlines, SystemMetric::DroppedSnapshots, SystemMetric::ProcessesLeftOut})
    hello.quality(metric) = exact("counted by the collector");
  hello.quality(SystemMetric::SweepInterval) = exact("planned by the collector");
  markMissing(Systems::Windows, hello);
}

}  // namespace faultline

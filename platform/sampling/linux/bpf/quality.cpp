#include "platform/sampling/linux/bpf/quality.h"

#include <algorithm>
#include <utility>

#include "platform/sampling/linux/bpf/tables/exact_pages.h"
#include "platform/sampling/linux/bpf/zeroed_quality.h"
#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

// Each processor has its own counters of pages, which are added up at this size (lib/percpu_counter.c).
std::uint64_t pagesBehind(std::uint32_t processors) {
  return std::max<std::uint64_t>(32, 2ULL * processors) * processors;
}

const std::string kOnlyOnShow = "; absent while the numbers are not on show";

Quality teardownQuality(const BpfPrograms& programs) {
  const std::string calls = "mmap and mremap over memory";
  const std::string ifFreed = "; these two and MADV_DONTNEED where they free a page";
  const std::string files =
      "memory files (memfd, tmpfs, shmget) when they are closed, cut or punched, whose unmapping alone has a time";
  if (programs.teardownWay() == TeardownWay::Function)
    return exact("BPF from tlb_gather_mmu to tlb_finish_mmu: the part of munmap, madvise, mremap, brk, " + calls +
                 ", exec and exit that takes pages away, including waits" + ifFreed + ". Without " + files);
  return estimated(
      "BPF on mmap_lock_start_locking, mmap_lock_released and exit_mmap: munmap, madvise, mremap and brk that give "
      "memory back, " +
      calls + ", exec and exit, including waits for the lock" + ifFreed + ". Without " +
      (programs.timesDiscards() ? "" : "MADV_DONTNEED in one mapping, which takes no such lock on this kernel, and ") +
      files + ": a lower bound. " + programs.whyNotByFunction().why);
}

void describeFreeing(const BpfPrograms& programs, Hello& hello) {
  using enum ProcessMetric;
  const Unavailable& freeing = programs.reason(BpfPart::Freeing);
  hello.quality(FreedBytes) = qualityUnless(
      freeing,
      exact("BPF on mm_page_free: anonymous and shared memory in pages of all sizes, freed by a thread of the process, "
            "also in exec and exit; of memory shared with other processes, by the last of them. Without page tables, "
            "files, hugetlb pages, shared memory that the process still has when it ends, and pages that the kernel "
            "reclaims. The last pages that a processor gave out (up to 31) may count for the program that runs there "
            "next; so does the memory of a process whose /proc files another program reads when it ends, for that "
            "program"));
  hello.quality(DiscardedBytes) = qualityUnless(freeing, exact("BPF on mm_page_free, in the calls madvise and brk"));
  hello.quality(TeardownTime) = qualityUnless(programs.reason(BpfPart::Teardown), teardownQuality(programs));
  hello.quality(ReclaimedBytes) = qualityUnless(
      programs.reason(BpfPart::Reclaim),
      exact("BPF on mm_vmscan_direct_reclaim_end and mm_vmscan_memcg_reclaim_end; without pages that kswapd frees"));
}

}  // namespace

void describeBpfQuality(const BpfPrograms& programs, std::optional<bool> initOnAlloc, bool exactPages, Hello& hello) {
  const auto process = [&](ProcessMetric metric, Quality quality) { hello.quality(metric) = std::move(quality); };
  process(ProcessMetric::MinorFaults, exact("BPF task iterator, min_flt of all threads, including ended threads"));
  process(ProcessMetric::MajorFaults, exact("BPF task iterator, maj_flt of all threads, including ended threads"));
  process(ProcessMetric::CommitBytes,
          estimated("BPF task iterator, data_vm and stack_vm: writable private mappings, including those without a "
                    "reservation"));
  const std::string behind = "; each kind of page is counted in batches and may be up to " +
                             std::to_string(pagesBehind(hello.machine.processors)) + " pages off";
  const auto pages = [&](const std::string& statm, const std::string& rssStat) {
    if (!exactPages) return estimated("BPF task iterator, rss_stat: " + rssStat + behind);
    return estimated("/proc/PID/statm, " + statm + ", exact; in each sweep the " +
                     std::to_string(ExactPages::kReadAtOnce) +
                     " processes with most faults since they were last read. For others that have faulted, and for "
                     "all while the numbers are not on show, BPF task iterator, rss_stat: " +
                     rssStat + behind);
  };
  process(ProcessMetric::ResidentBytes, pages("resident", "file, anonymous and shared pages"));
  process(ProcessMetric::TouchedPrivateBytes,
          pages("resident minus shared, plus pages in swap", "anonymous pages, and pages in swap"));
  process(ProcessMetric::SwappedBytes, estimated("BPF task iterator, rss_stat: pages in swap" + behind));
  process(ProcessMetric::Threads, exact("BPF task iterator, nr_threads"));
  process(ProcessMetric::Mappings, exact("BPF task iterator, map_count"));
  process(ProcessMetric::ParentPid,
          exact("BPF on sched_process_fork, the parent at birth; for processes older than the collector: BPF task "
                "iterator, real_parent"));
  for (const ProcessMetric metric : {ProcessMetric::ChildMinorFaults, ProcessMetric::ChildMajorFaults})
    process(metric, unavailable(std::string(kNotNeeded)));

  const Unavailable& zeroing = programs.reason(BpfPart::Zeroing);
  process(ProcessMetric::ZeroedBytes, qualityUnless(zeroing, zeroedQuality(initOnAlloc, programs.sparesClearing())));
  process(
      ProcessMetric::ZeroedLargeBytes,
      qualityUnless(zeroing, exact("BPF on mm_page_alloc, large folios, detected by their flags: movable, and denied "
                                   "the reserves; including those filled by MADV_COLLAPSE")));
  process(ProcessMetric::ZeroingTime, unavailable(zeroing));  // until the cost is known

  const Unavailable& faults = programs.reason(BpfPart::FaultTime);
  const std::string timed = timedBy(programs.timing());
  const std::string inside = ", including waits, without the processor's entry to the kernel and return";
  for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime})
    process(metric, qualityUnless(faults, exact(timed + inside + kOnlyOnShow)));
  for (const ProcessMetric metric : {ProcessMetric::TimedFaults, ProcessMetric::TimedMajorFaults})
    process(metric, qualityUnless(faults, exact(timed + kOnlyOnShow)));
  const Unavailable& parts = programs.reason(BpfPart::FaultParts);
  for (const ProcessMetric metric :
       {ProcessMetric::FaultTimeOnProcessor, ProcessMetric::FaultTimeWaiting, ProcessMetric::FaultTimeBlocked})
    process(metric, qualityUnless(parts, exact("BPF on sched_switch and sched_wakeup, of threads inside a fault; time "
                                               "that a host takes from a virtual machine counts as on a processor" +
                                               kOnlyOnShow)));
  process(ProcessMetric::LargeZeroingTime,
          qualityUnless(zeroing.why.empty() ? parts : zeroing,
                        exact("BPF on mm_page_alloc and at the fault's end: without waits, with the little that the "
                              "kernel does after clearing; where it clears all memory that it allocates "
                              "(init_on_alloc), the whole fault without reclaim and compaction. Without large pages "
                              "that are cleared outside of timed faults" +
                              kOnlyOnShow)));
  process(ProcessMetric::FaultTimeOnDisk,
          qualityUnless(parts, exact("BPF on sched_switch and sched_wakeup, of threads that the kernel accounts as "
                                     "waiting for input or output (in_iowait)" +
                                     kOnlyOnShow)));
  const Unavailable& efforts = programs.reason(BpfPart::FaultEfforts);
  process(ProcessMetric::FaultTimeInReclaim,
          qualityUnless(efforts, exact("BPF on mm_vmscan_direct_reclaim and mm_vmscan_memcg_reclaim, begin and end, of "
                                       "threads inside a fault" +
                                       kOnlyOnShow)));
  process(
      ProcessMetric::FaultTimeInCompaction,
      qualityUnless(efforts, exact("BPF on mm_compaction, begin and end, of threads inside a fault" + kOnlyOnShow)));

  describeFreeing(programs, hello);

  hello.quality(SystemMetric::LostExits) =
      qualityUnless(programs.reason(BpfPart::Exits),
                    exact("BPF on sched_process_exit; processes without room for a record are in sums, by parent"));
  hello.quality(SystemMetric::SkippedRuns) =
      programs.skippedRuns()
          ? exact(
                "BPF, recursion_misses of all programs of the sweep; events that a second program may have seen count")
          : unavailable("The kernel does not count them", "A kernel from Linux 5.12 on.");
}

void describeSkippedRuns(Hello& hello) {
  const auto describe = [&](ProcessMetric metric) { hello.quality(metric) = withSkippedRuns(hello.quality(metric)); };
  using enum ProcessMetric;
  std::ranges::for_each(kFaultTimes, describe);
  std::ranges::for_each(std::array{ZeroedBytes, ZeroedLargeBytes, LargeZeroingTime, TimedFaults, TimedMajorFaults,
                                   FreedBytes, DiscardedBytes, TeardownTime, ReclaimedBytes},
                        describe);
}

}  // namespace faultline

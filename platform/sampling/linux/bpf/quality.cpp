#include "platform/sampling/linux/bpf/quality.h"

#include <algorithm>

#include "platform/sampling/linux/bpf/exact_pages.h"
#include "platform/sampling/linux/bpf/zeroed_quality.h"
#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

// Counters of pages are kept for each processor, and added up when one of them reaches this (lib/percpu_counter.c).
std::uint64_t pagesBehind(std::uint32_t processors) {
  return std::max<std::uint64_t>(32, 2ULL * processors) * processors;
}

}  // namespace

void describeBpfQuality(const BpfPrograms& programs, std::optional<bool> initOnAlloc, bool exactPages, Hello& hello) {
  const auto process = [&](ProcessMetric metric, Quality quality) { hello.quality(metric) = std::move(quality); };
  process(ProcessMetric::MinorFaults, exact("BPF task iterator, min_flt of all threads, dead ones included"));
  process(ProcessMetric::MajorFaults, exact("BPF task iterator, maj_flt of all threads, dead ones included"));
  process(ProcessMetric::CommitBytes,
          estimated("BPF task iterator, data_vm and stack_vm: writable private mappings, those without a reservation "
                    "included"));
  const std::string behind = "; each kind of page is counted in batches and may be up to " +
                             std::to_string(pagesBehind(hello.machine.processors)) + " pages off";
  const auto pages = [&](const std::string& statm, const std::string& rssStat) {
    if (!exactPages) return estimated("BPF task iterator, rss_stat: " + rssStat + behind);
    return estimated("/proc/PID/statm, " + statm + ", exact; in each sweep the " +
                     std::to_string(ExactPages::kReadAtOnce) +
                     " processes are read that have faulted most since the last time. Of further ones that have "
                     "faulted, and of all while nobody looks, BPF task iterator, rss_stat: " +
                     rssStat + behind);
  };
  process(ProcessMetric::ResidentBytes, pages("resident", "pages of files, anonymous and shared ones"));
  process(ProcessMetric::TouchedPrivateBytes,
          pages("resident less shared, with pages in swap", "anonymous pages, and those in swap"));
  process(ProcessMetric::SwappedBytes, estimated("BPF task iterator, rss_stat: pages in swap" + behind));
  process(ProcessMetric::Threads, exact("BPF task iterator, nr_threads"));
  process(ProcessMetric::ParentPid,
          exact("BPF on sched_process_fork, the parent at birth; of processes that are older than the collector, the "
                "task iterator, real_parent"));
  for (const ProcessMetric metric : {ProcessMetric::ChildMinorFaults, ProcessMetric::ChildMajorFaults})
    process(metric, unavailable("Not needed: each process tells at its end what it has done"));

  const Unavailable& zeroing = programs.reason(BpfPart::Zeroing);
  process(ProcessMetric::ZeroedBytes, qualityUnless(zeroing, zeroedQuality(initOnAlloc, programs.sparesClearing())));
  process(
      ProcessMetric::ZeroedLargeBytes,
      qualityUnless(zeroing, exact("BPF on mm_page_alloc, large folios, told by their flags: movable, and denied the "
                                   "reserves; those filled by MADV_COLLAPSE included")));
  process(ProcessMetric::ZeroingTime, unavailable(zeroing));  // until the cost is known

  const Unavailable& faults = programs.reason(BpfPart::FaultTime);
  const std::string timed = timedBy(programs.timing());
  const std::string inside = ", waits included, the processor's own way into the kernel and back not";
  for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime})
    process(metric, qualityUnless(faults, exact(timed + inside + "; absent while nobody looks")));
  for (const ProcessMetric metric : {ProcessMetric::TimedFaults, ProcessMetric::TimedMajorFaults})
    process(metric, qualityUnless(faults, exact(timed + "; absent while nobody looks")));
  for (const ProcessMetric metric :
       {ProcessMetric::FaultTimeOnProcessor, ProcessMetric::FaultTimeWaiting, ProcessMetric::FaultTimeBlocked})
    process(metric, qualityUnless(programs.reason(BpfPart::FaultParts),
                                  exact("BPF on sched_switch and sched_wakeup, of threads inside a fault; what a host "
                                        "takes from a virtual machine counts as on a processor; absent while nobody "
                                        "looks")));

  hello.quality(SystemMetric::LostExits) =
      qualityUnless(programs.reason(BpfPart::Exits),
                    exact("BPF on sched_process_exit; those beyond the records that find room are in sums, by parent"));
}

}  // namespace faultline

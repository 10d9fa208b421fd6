#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

// As implemented by proc/process_reader.h with kSweepsPerWholeRead.
constexpr const char* kReadAgain = "; read again when the process has run, at the latest every 16 sweeps";

Quality pageCount(const ProcView& view, const std::string& how) {
  if (view.pageCountsExact) return exact(how + kReadAgain);
  return estimated(how + kReadAgain + "; this kernel counts pages in batches, so a value may be some pages behind");
}

Quality touchedPrivate(const ProcView& view) {
  const std::string how = "/proc/PID/statm, resident minus shared";
  if (view.memory.swapTotal == 0U) return pageCount(view, how + "; this machine has no swap");
  return estimated(how + kReadAgain + "; pages that were swapped out are not counted");
}

Quality present(bool available, const std::string& file, const std::string& name) {
  if (available) return exact(file + ", " + name);
  return unavailable(file + " has no " + name + " on this kernel");
}

}  // namespace

void describeQuality(const ProcView& view, Hello& hello) {
  const auto process = [&](ProcessMetric metric, Quality quality) {
    if (!view.visibility.empty() && quality.grade != Grade::Unavailable) quality.how += ". " + view.visibility;
    hello.quality(metric) = std::move(quality);
  };
  const std::string unseen =
      "; faults of processes that begin and end between two samples, and faults after a process's last sample, are "
      "only "
      "in the cost of the family that waited for the process, and in the machine's unattributed faults";
  process(ProcessMetric::MinorFaults, exact("/proc/PID/stat, minflt of all threads, including ended threads" + unseen));
  process(ProcessMetric::MajorFaults, exact("/proc/PID/stat, majflt of all threads, including ended threads" + unseen));
  process(ProcessMetric::ChildMinorFaults, exact("/proc/PID/stat, cminflt"));
  process(ProcessMetric::ChildMajorFaults, exact("/proc/PID/stat, cmajflt"));
  process(
      ProcessMetric::CommitBytes,
      estimated("/proc/PID/statm, data and stack: writable private mappings, including those without a reservation" +
                std::string(kReadAgain)));
  process(ProcessMetric::ResidentBytes, pageCount(view, "/proc/PID/statm, resident"));
  process(ProcessMetric::TouchedPrivateBytes, touchedPrivate(view));
  process(ProcessMetric::Threads, exact("/proc/PID/stat, num_threads"));
  process(ProcessMetric::ParentPid, exact("/proc/PID/stat, ppid"));
  for (const auto& row : kProcessFields)
    if (row.needs == Needs::Privilege) process(row.metric, unavailable(view.beyond));

  const auto system = [&](SystemMetric metric, Quality quality) { hello.quality(metric) = std::move(quality); };
  const VmStat& vmstat = view.vmstat;
  const MemInfo& memory = view.memory;
  system(SystemMetric::Faults, present(vmstat.faults.has_value(), "/proc/vmstat", "pgfault"));
  system(SystemMetric::MajorFaults, present(vmstat.majorFaults.has_value(), "/proc/vmstat", "pgmajfault"));
  system(SystemMetric::PagesAllocated, present(vmstat.pagesAllocated.has_value(), "/proc/vmstat", "pgalloc_*"));
  system(SystemMetric::PagesFreed, present(vmstat.pagesFreed.has_value(), "/proc/vmstat", "pgfree"));
  system(SystemMetric::ThpFaultsAllocated,
         present(vmstat.thpFaultsAllocated.has_value(), "/proc/vmstat", "thp_fault_alloc"));
  system(SystemMetric::ThpFaultsFallback,
         present(vmstat.thpFaultsFallback.has_value(), "/proc/vmstat", "thp_fault_fallback"));
  system(SystemMetric::CommittedBytes, present(memory.committed.has_value(), "/proc/meminfo", "Committed_AS"));
  system(SystemMetric::CommitLimitBytes, present(memory.commitLimit.has_value(), "/proc/meminfo", "CommitLimit"));
  system(SystemMetric::FreeBytes, present(memory.free.has_value(), "/proc/meminfo", "MemFree"));
  system(SystemMetric::AvailableBytes, present(memory.available.has_value(), "/proc/meminfo", "MemAvailable"));
  system(SystemMetric::TotalBytes, present(memory.total.has_value(), "/proc/meminfo", "MemTotal"));
  system(SystemMetric::CollectorCpu, exact("CLOCK_PROCESS_CPUTIME_ID"));
  system(SystemMetric::SweepInterval, exact("planned by the collector"));
  system(SystemMetric::MissedDeadlines, exact("counted by the collector"));
  system(SystemMetric::DroppedSnapshots, exact("counted by the collector"));
  system(SystemMetric::LostExits,
         unavailable("Linux does not report ended processes to ordinary programs", view.beyond.enable));
  for (const SystemMetric metric :
       {SystemMetric::SkippedRuns, SystemMetric::SmallZeroingCost, SystemMetric::LargeZeroingCost})
    system(metric, unavailable(view.beyond));
  system(SystemMetric::ProcessesLeftOut, exact("counted by the collector"));
  markMissing(Systems::Linux, hello);
}

}  // namespace faultline

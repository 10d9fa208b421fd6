#include "core/model/metric.h"

namespace faultline {
namespace {

constexpr std::array<MetricField, kProcessMetricCount> kProcessFields{{
    {"minor_faults", "Minor faults", MetricKind::Counter, Unit::Count,
     "Page faults served from memory, without reading the disk."},
    {"major_faults", "Major faults", MetricKind::Counter, Unit::Count, "Page faults that had to wait for the disk."},
    {"commit_bytes", "Commit", MetricKind::Gauge, Unit::Bytes,
     "Memory the process has been promised: its writable private mappings and stack, touched or not."},
    {"resident_bytes", "Resident", MetricKind::Gauge, Unit::Bytes,
     "Memory of the process that is in RAM now, shared pages included."},
    {"touched_private_bytes", "Touched private", MetricKind::Gauge, Unit::Bytes,
     "Private memory the process has really touched: anonymous pages in RAM."},
    {"threads", "Threads", MetricKind::Gauge, Unit::Count, "Threads of the process."},
    {"zeroed_bytes", "Zeroed", MetricKind::Counter, Unit::Bytes,
     "Memory the kernel has cleared before handing it to the process."},
    {"zeroed_large_bytes", "Zeroed, large", MetricKind::Counter, Unit::Bytes,
     "Of the memory cleared for the process, that in large pages (THP)."},
    {"zeroing_ns", "Zeroing time", MetricKind::Counter, Unit::Duration,
     "Time the kernel took to clear that memory: bytes times what clearing costs on this machine."},
    {"sampled_zeroing_ns", "Zeroing, sampled", MetricKind::Counter, Unit::Duration,
     "Time in which the processor was caught clearing pages for the process. Too low for small pages."},
    {"fault_ns", "Fault time", MetricKind::Counter, Unit::Duration,
     "Time the process has spent inside page faults, waiting for the disk included."},
    {"major_fault_ns", "Major fault time", MetricKind::Counter, Unit::Duration,
     "Of the time inside page faults, that in faults which had to wait for the disk."},
    {"timed_faults", "Timed faults", MetricKind::Counter, Unit::Count,
     "Page faults whose time was measured; where the kernel tells of them, pages populated in advance are included."},
    {"timed_major_faults", "Timed major faults", MetricKind::Counter, Unit::Count,
     "Of the page faults whose time was measured, those that had to wait for the disk."},
    {"parent_pid", "Parent", MetricKind::Gauge, Unit::Count, "The process that started this one, while that lives."},
    {"child_minor_faults", "Children's minor faults", MetricKind::Counter, Unit::Count,
     "Minor faults of processes that this one has started and waited for, and of those that they did, once they "
     "ended."},
    {"child_major_faults", "Children's major faults", MetricKind::Counter, Unit::Count,
     "Major faults of processes that this one has started and waited for, and of those that they did, once they "
     "ended."},
}};

constexpr std::array<MetricField, kSystemMetricCount> kSystemFields{{
    {"system_faults", "Faults", MetricKind::Counter, Unit::Count, "Page faults of all processes, minor and major."},
    {"system_major_faults", "Major faults", MetricKind::Counter, Unit::Count,
     "Page faults of all processes that had to wait for the disk."},
    {"pages_allocated", "Pages allocated", MetricKind::Counter, Unit::Count,
     "Pages the kernel has taken from its free lists."},
    {"pages_freed", "Pages freed", MetricKind::Counter, Unit::Count, "Pages the kernel has given back."},
    {"thp_faults_allocated", "THP faults", MetricKind::Counter, Unit::Count,
     "Faults that were served with one transparent huge page."},
    {"thp_faults_fallback", "THP fallbacks", MetricKind::Counter, Unit::Count,
     "Faults that wanted a transparent huge page and got small ones."},
    {"committed_bytes", "Committed", MetricKind::Gauge, Unit::Bytes, "Memory promised to all processes."},
    {"commit_limit_bytes", "Commit limit", MetricKind::Gauge, Unit::Bytes,
     "How much memory the system may promise under strict accounting."},
    {"free_bytes", "Free", MetricKind::Gauge, Unit::Bytes, "Memory in no use at all."},
    {"available_bytes", "Available", MetricKind::Gauge, Unit::Bytes,
     "Memory that programs can still get without swapping."},
    {"total_bytes", "Memory", MetricKind::Gauge, Unit::Bytes, "Memory of this machine."},
    {"collector_cpu_ns", "Collector CPU", MetricKind::Counter, Unit::Duration,
     "Processor time that Faultline's collector itself has used."},
    {"missed_deadlines", "Missed", MetricKind::Counter, Unit::Count, "Samples that were due and not taken."},
    {"dropped_frames", "Dropped", MetricKind::Counter, Unit::Count,
     "Samples taken but not sent because the reader was too slow."},
    {"lost_exits", "Lost exits", MetricKind::Counter, Unit::Count,
     "Processes that ended too fast to be told one by one."},
    {"processes_left_out", "Left out", MetricKind::Gauge, Unit::Count,
     "Processes of this sample that found no room in the stream."},
    {"demand_zero_faults", "Demand-zero faults", MetricKind::Counter, Unit::Count,
     "Page faults of all processes that were served with a zeroed page."},
    {"transition_faults", "Transition faults", MetricKind::Counter, Unit::Count,
     "Page faults of all processes served with a page that was in memory, but in no working set."},
    {"copy_on_write_faults", "Copy-on-write faults", MetricKind::Counter, Unit::Count,
     "Page faults of all processes that wrote to a shared page and were given a copy."},
    {"zero_thread_cycles", "Zeroing cycles", MetricKind::Counter, Unit::Count,
     "Processor cycles of the threads that zero free pages in the background."},
    {"zero_thread_ns", "Zeroing threads' time", MetricKind::Counter, Unit::Duration,
     "Processor time of the threads that zero free pages in the background."},
    {"zero_thread_switches", "Zeroing wake-ups", MetricKind::Counter, Unit::Count,
     "How often a thread that zeroes free pages in the background was given a processor."},
    {"zero_threads", "Zeroing threads", MetricKind::Gauge, Unit::Count,
     "Threads that zero free pages in the background."},
    {"zeroed_list_bytes", "Zeroed list", MetricKind::Gauge, Unit::Bytes, "Free memory that has been zeroed already."},
    {"free_list_bytes", "Free list", MetricKind::Gauge, Unit::Bytes, "Free memory that nobody has zeroed yet."},
    {"small_zeroing_ps_per_kib", "Cost of zeroing", MetricKind::Gauge, Unit::Count,
     "Picoseconds that clearing a KiB of small pages takes here."},
    {"large_zeroing_ps_per_kib", "Cost of zeroing, large", MetricKind::Gauge, Unit::Count,
     "Picoseconds that clearing a KiB of large pages takes here."},
}};

}  // namespace

const MetricField& field(ProcessMetric metric) {
  return kProcessFields.at(static_cast<std::size_t>(metric));
}
const MetricField& field(SystemMetric metric) {
  return kSystemFields.at(static_cast<std::size_t>(metric));
}

}  // namespace faultline

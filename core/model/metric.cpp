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
}};

}  // namespace

const MetricField& field(ProcessMetric metric) {
  return kProcessFields.at(static_cast<std::size_t>(metric));
}
const MetricField& field(SystemMetric metric) {
  return kSystemFields.at(static_cast<std::size_t>(metric));
}

}  // namespace faultline

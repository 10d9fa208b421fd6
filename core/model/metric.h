// The field table: every number Faultline measures, once. Codec, history, CSV, columns and help are all made from it.
// The enumerators' values are wire ids: append only, never renumber.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

enum class MetricKind : std::uint8_t {
  Counter,  // cumulative, never resets; may wrap at the width that Hello tells
  Gauge,    // a level
};

enum class Unit : std::uint8_t { Count, Bytes, Duration };

// One process. Sources are those of Linux; Hello tells what another system used.
enum class ProcessMetric : std::uint8_t {
  MinorFaults,          // /proc/PID/stat field 10
  MajorFaults,          // /proc/PID/stat field 12
  CommitBytes,          // /proc/PID/statm field 6 (data + stack)
  ResidentBytes,        // /proc/PID/statm field 2
  TouchedPrivateBytes,  // /proc/PID/statm field 2 - field 3 (RssAnon)
  Threads,              // /proc/PID/stat field 20
  // The rest needs the collector's capabilities (BPF). These counters begin when it does, or with the process.
  ZeroedBytes,         // allocations that the kernel clears (tracepoint mm_page_alloc), all sizes of page
  ZeroedLargeBytes,    // of those, in large folios (THP and mTHP)
  ZeroingTime,         // never on the wire: readers make it from the two above and what clearing costs
  SampledZeroingTime,  // time in clear_page by sampled instruction pointers
  FaultTime,           // from a fault's first instruction in the kernel to its accounting, waits included; all faults
  MajorFaultTime,      // of that, in major faults
  TimedFaults,         // how many faults FaultTime is the time of
  TimedMajorFaults,    // of those, major ones
  ParentPid,           // /proc/PID/stat field 4; no privilege needed
  ChildMinorFaults,    // /proc/PID/stat field 11: of children that have ended and were waited for, and of theirs
  ChildMajorFaults,    // /proc/PID/stat field 13
};
inline constexpr std::size_t kProcessMetricCount = 17;

// The whole machine, and the collector itself.
enum class SystemMetric : std::uint8_t {
  Faults,              // /proc/vmstat pgfault (minor and major together)
  MajorFaults,         // /proc/vmstat pgmajfault
  PagesAllocated,      // /proc/vmstat sum of pgalloc_*
  PagesFreed,          // /proc/vmstat pgfree
  ThpFaultsAllocated,  // /proc/vmstat thp_fault_alloc
  ThpFaultsFallback,   // /proc/vmstat thp_fault_fallback
  CommittedBytes,      // /proc/meminfo Committed_AS
  CommitLimitBytes,    // /proc/meminfo CommitLimit
  FreeBytes,           // /proc/meminfo MemFree
  AvailableBytes,      // /proc/meminfo MemAvailable
  TotalBytes,          // /proc/meminfo MemTotal
  CollectorCpu,        // CPU time the collector itself has used
  MissedDeadlines,     // sweeps that were due and not taken
  DroppedFrames,       // snapshots taken but not sent because the reader was slow
  LostExits,           // processes whose totals at their end found no room on the way from the kernel
  ProcessesLeftOut,    // processes of this snapshot that found no room in a frame
  // kOfWindowsAlone; platform/sampling/nt/quality.cpp tells the sources.
  DemandZeroFaults,
  TransitionFaults,
  CopyOnWriteFaults,
  ZeroThreadCycles,    // QueryThreadCycleTime; needs SeDebugPrivilege
  ZeroThreadTime,      // in ticks of the scheduler, about 15.6 ms
  ZeroThreadSwitches,  // how often one of them got a processor
  ZeroThreads,         // how many there are
  ZeroedListBytes,
  FreeListBytes,
  SmallZeroingCost,  // ps for each KiB that the kernel clears in small pages, as measured now and then; Linux, BPF
  LargeZeroingCost,  // the same in large ones
};
inline constexpr std::size_t kSystemMetricCount = 27;
inline constexpr std::array kOfWindowsAlone{
    SystemMetric::DemandZeroFaults, SystemMetric::TransitionFaults, SystemMetric::CopyOnWriteFaults,
    SystemMetric::ZeroThreadCycles, SystemMetric::ZeroThreadTime,   SystemMetric::ZeroThreadSwitches,
    SystemMetric::ZeroThreads,      SystemMetric::ZeroedListBytes,  SystemMetric::FreeListBytes};
inline constexpr std::array kOfLinuxAlone{SystemMetric::PagesAllocated,     SystemMetric::PagesFreed,
                                          SystemMetric::ThpFaultsAllocated, SystemMetric::ThpFaultsFallback,
                                          SystemMetric::LostExits,          SystemMetric::SmallZeroingCost,
                                          SystemMetric::LargeZeroingCost};

struct MetricField {
  std::string_view name;   // snake_case; the CSV column, with its unit where that is not a count
  std::string_view title;  // as a person reads it
  MetricKind kind;
  Unit unit;
  std::string_view meaning;  // one sentence, for tooltips and help
};

[[nodiscard]] const MetricField& field(ProcessMetric metric);
[[nodiscard]] const MetricField& field(SystemMetric metric);

// One optional 64-bit value per metric: absent is not zero.
template <class Metric, std::size_t Count>
class Values {
 public:
  static constexpr std::size_t kCount = Count;

  [[nodiscard]] bool has(Metric metric) const { return (m_present >> index(metric)) & 1U; }
  [[nodiscard]] std::optional<std::uint64_t> get(Metric metric) const {
    return has(metric) ? std::optional(m_values[index(metric)]) : std::nullopt;
  }
  void set(Metric metric, std::uint64_t value) {
    m_values[index(metric)] = value;
    m_present |= 1U << index(metric);
  }
  void set(Metric metric, std::optional<std::uint64_t> value) {
    if (value) set(metric, *value);
    else clear(metric);
  }
  [[nodiscard]] std::uint32_t present() const { return m_present; }  // a bit per metric
  void clear(Metric metric) {
    m_values[index(metric)] = 0;  // keeps the defaulted comparison true
    m_present &= ~(1U << index(metric));
  }

  [[nodiscard]] bool zero() const {  // it has nothing else
    std::uint64_t bits = 0;
    for (const std::uint64_t value : m_values) bits |= value;
    return bits == 0;
  }

  // Zero for each bit.
  [[nodiscard]] static Values zeros(std::uint32_t bits) {
    Values values;
    values.m_present = bits;
    return values;
  }
  // Adds what `other` has; what only one of them has is its own.
  void add(const Values& other) {
    for (std::size_t i = 0; i < Count; ++i) m_values[i] += other.m_values[i];  // 0 where it has none
    m_present |= other.m_present;
  }

  bool operator==(const Values&) const = default;

 private:
  static constexpr std::size_t index(Metric metric) { return static_cast<std::size_t>(metric); }
  static_assert(Count <= 32);

  std::array<std::uint64_t, Count> m_values{};
  std::uint32_t m_present = 0;
};

using ProcessValues = Values<ProcessMetric, kProcessMetricCount>;
using SystemValues = Values<SystemMetric, kSystemMetricCount>;

}  // namespace faultline

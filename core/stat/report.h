// What runs of programs cost, as `faultline-cli stat` measures it: each figure of each run, with its quality.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/calibration.h"
#include "core/model/metric.h"
#include "core/model/quality.h"
#include "core/stat/sites.h"
#include "core/trial/run_memory.h"
#include "core/trial/sample.h"

namespace faultline {

struct StatField {
  std::string_view name;  // in files; ends in the unit unless that is a count
  std::string_view title;
  Unit unit;
  bool guarded = false;  // what runs of equal programs agree on
  double floor = 0;      // smaller changes are not told: the kernel places stack and libraries at random addresses
  bool part = false;     // of the figure above it
};

inline constexpr auto kStatFields = [] {
  using enum Unit;
  constexpr std::size_t kOwn = 11;
  constexpr double kFewFaults = 8;
  constexpr double kFewBytes = 64 << 10;
  std::array<StatField, kOwn + kRunFigures.size()> fields{
      StatField{"wall_ns", "Wall time", Duration},
      StatField{"cpu_ns", "CPU time", Duration},
      StatField{"user_ns", "CPU time, user", Duration, false, 0, true},
      StatField{"system_ns", "CPU time, system", Duration, false, 0, true},
      StatField{"faults", "Page faults", Count, true, kFewFaults},
      StatField{"minor_faults", "Minor faults", Count, false, kFewFaults, true},
      StatField{"major_faults", "Major faults", Count, false, kFewFaults, true},
      StatField{"peak_bytes", "Peak memory", Bytes, true, 2 << 20},
      StatField{"group_peak_bytes", "Peak memory, all", Bytes},
      StatField{"peak_commit_bytes", "Peak commit", Bytes},
      StatField{"processes", "Processes", Count, true}};
  for (std::size_t i = 0; i < kRunFigures.size(); ++i) {
    const ProcessMetric metric = kRunFigures[i].metric;
    const bool counted = metric == ProcessMetric::ZeroedBytes || metric == ProcessMetric::FreedBytes;
    fields[kOwn + i] = {kRunFigures[i].json,       field(metric).title, field(metric).unit, counted,
                        counted ? kFewBytes : 0.0, kRunFigures[i].part};
  }
  return fields;
}();

// One of each of kStatFields.
template <class T>
using OfStatFields = std::array<T, kStatFields.size()>;

// The place of a figure in kStatFields; does not compile for an unknown name.
[[nodiscard]] consteval std::size_t statFigure(std::string_view name) {
  std::size_t place = 0;
  while (kStatFields.at(place).name != name) ++place;
  return place;
}

// Of the processes of a program that have this name.
struct StatProcess {
  std::string name{};
  std::vector<double> faults{};  // of each run beside a collector

  bool operator==(const StatProcess&) const = default;
};

struct StatProgram {
  std::string name{};
  std::vector<std::string> command{};          // empty: a running process, or the machine
  OfStatFields<std::vector<double>> values{};  // of each run in which it is known; ns, bytes, counts
  std::size_t failed = 0;                      // runs that ended with another code than 0, or by a signal
  bool peakAtMost = false;                     // peak_bytes is an upper bound
  std::vector<StatProcess> processes{};        // in order of names; empty: no collector saw them
  std::optional<CallSites> callSites{};        // of the first process, in one more run; absent: not asked for

  bool operator==(const StatProgram&) const = default;
};

// Where a program ran: other places give other figures.
struct StatPlace {
  CalibrationPlace machine{};
  std::uint64_t pageBytes = 0;
  std::string allocator{};  // "glibc 2.36": malloc of programs that bring none

  bool operator==(const StatPlace&) const = default;
};

struct StatReport {
  std::optional<StatPlace> place{};  // absent: the collector did not tell it
  OfStatFields<Quality> qualities{};
  std::vector<StatProgram> programs{};
  std::size_t runs = 0;         // wanted
  std::size_t watchedRuns = 0;  // wanted, beside a collector
  bool interrupted = false;

  bool operator==(const StatReport&) const = default;
};

void addRun(StatProgram& program, const TrialSample& run);
// The page faults of one more run, by the names of its processes.
void addProcesses(StatProgram& program, const std::map<std::string, double>& faults);
// `processes`: the program and all that it started.
void addMemory(StatProgram& program, const RunMemory& memory, std::uint64_t processes);
// Of figures that runs tell without a collector, and of the others as long as no collector has told.
[[nodiscard]] OfStatFields<Quality> runQualities(const Quality& withoutCollector);
// Of a collector: where it does not see each process, its figures have no values.
void addQualities(const RunMemoryQuality& memory, bool measures, OfStatFields<Quality>& qualities);
// How runs were counted.
struct RunCounting {
  std::string noGroup{};  // why a run had no control group that counted, too, as a clause; empty: each had one
  bool unwaited = false;  // a group counted processes that nobody waited for
  bool byJob = false;     // jobs of Windows counted

  void add(const TrialSample& run);
};
// After the runs.
void judgeCounting(const RunCounting& counting, StatReport& report);
// Where time in faults is not measured: by the price of a minor fault.
void estimateFaultTime(double nsPerFault, StatProgram& program);

struct StatSummary {
  double median = 0;  // of an even number, the upper of the two in the middle
  double least = 0;
  double most = 0;

  [[nodiscard]] std::optional<double> spread() const {  // (most - least) / median
    return median > 0 ? std::optional((most - least) / median) : std::nullopt;
  }
};
[[nodiscard]] std::optional<StatSummary> summaryOf(std::span<const double> values);
// Of one program at least.
[[nodiscard]] bool isKnown(const StatReport& report, std::size_t figure);

}  // namespace faultline

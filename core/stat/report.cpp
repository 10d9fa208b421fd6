#include "core/stat/report.h"

#include <algorithm>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr std::size_t kFirstOfMemory = statFigure(kRunFigures.front().json);

}  // namespace

void addRun(StatProgram& program, const TrialSample& run) {
  const auto add = [&](std::size_t figure, auto value) {
    program.values[figure].push_back(static_cast<double>(value));
  };
  add(statFigure("wall_ns"), run.wall.count());
  add(statFigure("cpu_ns"), run.processor.count());
  add(statFigure("user_ns"), (run.processor - run.system).count());
  add(statFigure("system_ns"), run.system.count());
  add(statFigure("faults"), run.minorFaults + run.majorFaults);
  add(statFigure("minor_faults"), run.minorFaults);
  add(statFigure("major_faults"), run.majorFaults);
  add(statFigure("peak_bytes"), run.peakBytes);
  program.peakAtMost |= run.peakAtMost;
  if (run.code != 0 || run.signal != 0) ++program.failed;
}

void addMemory(StatProgram& program, const RunMemory& memory, std::uint64_t processes) {
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (memory[i]) program.values[kFirstOfMemory + i].push_back(*memory[i]);
  program.values[statFigure("processes")].push_back(static_cast<double>(processes));
}

void addProcesses(StatProgram& program, const std::map<std::string, double>& faults) {
  std::size_t runs = 0;
  for (const StatProcess& process : program.processes) runs = std::max(runs, process.faults.size());
  std::map<std::string, StatProcess> all;
  for (StatProcess& process : program.processes) all[process.name] = std::move(process);
  for (const auto& [name, count] : faults) {
    StatProcess& process = all[name];
    process.name = name;
    process.faults.resize(runs);
    process.faults.push_back(count);
  }
  program.processes.clear();
  for (auto& [name, process] : all) {
    process.faults.resize(runs + 1);
    program.processes.push_back(std::move(process));
  }
}

OfStatFields<Quality> runQualities(const Quality& withoutCollector) {
  OfStatFields<Quality> qualities;
  qualities.fill(withoutCollector);
  qualities[statFigure("wall_ns")] = exact("By the steady clock, from the start of the program to its end");
  const Quality counted = exact(
      "Counted by the kernel, of the program and all processes that it started; told by wait4(2), which leaves "
      "out children of a process that ignores SIGCHLD");
  for (const std::size_t figure :
       {statFigure("cpu_ns"), statFigure("faults"), statFigure("minor_faults"), statFigure("major_faults")})
    qualities[figure] = counted;
  for (const std::size_t figure : {statFigure("user_ns"), statFigure("system_ns")})
    qualities[figure] = estimated("The kernel divides the CPU time by what ran at its ticks");
  qualities[statFigure("peak_bytes")] =
      estimated("Of the largest single process; the kernel's peak leaves out up to some pages for each processor");
  return qualities;
}

void addQualities(const RunMemoryQuality& memory, bool measures, OfStatFields<Quality>& qualities) {
  std::ranges::copy(memory, qualities.begin() + kFirstOfMemory);
  const Quality& zeroed = memory[runFigure(ProcessMetric::ZeroedBytes)];
  qualities[statFigure("processes")] =
      measures ? exact("The collector sees each process start and end")
               : unavailable("Processes that live between two sweeps would be missed", zeroed.enable);
}

void estimateFaultTime(double nsPerFault, StatProgram& program) {
  auto& times = program.values[statFigure("fault_ns")];
  times = program.values[statFigure("minor_faults")];
  for (double& time : times) time *= nsPerFault;
}

std::optional<StatSummary> summaryOf(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  return StatSummary{
      .median = *median(std::vector<double>(values.begin(), values.end())), .least = least, .most = most};
}

bool isKnown(const StatReport& report, std::size_t figure) {
  return std::ranges::any_of(report.programs,
                             [&](const StatProgram& program) { return !program.values[figure].empty(); });
}

}  // namespace faultline

#include "core/stat/report.h"

#include <algorithm>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr std::size_t kFirstOfMemory = statFigure(kRunFigures.front().json);
constexpr const char* kWaited =
    "Counted by the kernel, of the program and all processes that it started; told by wait4(2)";
constexpr const char* kLeftOut = ", which leaves out children of a process that ignores SIGCHLD";

void judgeJob(StatReport& report) {
  const auto judge = [&](std::size_t figure, const Quality& known) {
    report.qualities[figure] = isKnown(report, figure) ? known : unavailable("This system does not tell it of a job");
  };
  for (const std::size_t figure : {statFigure("cpu_ns"), statFigure("user_ns"), statFigure("system_ns")})
    judge(figure, estimated("The kernel gives each of its ticks to the thread that runs then"));
  judge(statFigure("faults"),
        exact("Counted by the kernel, soft and hard ones, of the job of all the run's processes"));
  for (const std::size_t figure : {statFigure("minor_faults"), statFigure("major_faults")})
    report.qualities[figure] = unavailable("Windows counts minor and major page faults of a job as one");
  judge(statFigure("peak_bytes"), estimated("The largest peak of the processes that lived long enough to be asked"));
  judge(statFigure("group_peak_bytes"), {});
  judge(statFigure("peak_commit_bytes"), exact("The peak of the job, of all the run's processes together"));
  judge(statFigure("processes"),
        exact("Counted by the kernel, of the job of the run; that of a console is one of them, where one is started"));
}

}  // namespace

void addRun(StatProgram& program, const TrialSample& run) {
  const auto add = [&](std::size_t figure, auto value) {
    program.values[figure].push_back(static_cast<double>(value));
  };
  const auto addKnown = [&](std::size_t figure, auto value) {
    if (!run.byJob || value > 0) add(figure, value);
  };
  add(statFigure("wall_ns"), run.wall.count());
  addKnown(statFigure("cpu_ns"), run.processor.count());
  addKnown(statFigure("user_ns"), (run.processor - run.system).count());
  addKnown(statFigure("system_ns"), run.system.count());
  addKnown(statFigure("faults"), run.minorFaults + run.majorFaults);
  if (!run.byJob) {
    add(statFigure("minor_faults"), run.minorFaults);
    add(statFigure("major_faults"), run.majorFaults);
  }
  addKnown(statFigure("peak_bytes"), run.peakBytes);
  if (run.processes) add(statFigure("processes"), *run.processes);
  if (run.groupPeakBytes) add(statFigure("group_peak_bytes"), *run.groupPeakBytes);
  if (run.peakCommitBytes) add(statFigure("peak_commit_bytes"), *run.peakCommitBytes);
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
  const Quality counted = exact(std::string(kWaited) + kLeftOut);
  for (const std::size_t figure :
       {statFigure("cpu_ns"), statFigure("faults"), statFigure("minor_faults"), statFigure("major_faults")})
    qualities[figure] = counted;
  for (const std::size_t figure : {statFigure("user_ns"), statFigure("system_ns")})
    qualities[figure] = estimated("The kernel divides the CPU time by what ran at its ticks");
  qualities[statFigure("peak_bytes")] =
      estimated("Of the largest single process; the kernel's peak leaves out up to some pages for each processor");
  qualities[statFigure("group_peak_bytes")] = estimated(
      "Of all processes together, file cache and kernel memory included, as the kernel charges their control group: "
      "up to 64 pages for each processor more");
  qualities[statFigure("peak_commit_bytes")] =
      estimated("The largest of samples, 1 to 32 ms apart, of all processes together: the peak is that or more");
  return qualities;
}

void addQualities(const RunMemoryQuality& memory, bool measures, OfStatFields<Quality>& qualities) {
  std::ranges::copy(memory, qualities.begin() + kFirstOfMemory);
  const Quality& zeroed = memory[runFigure(ProcessMetric::ZeroedBytes)];
  qualities[statFigure("processes")] =
      measures ? exact("The collector sees each process start and end")
               : unavailable("Processes that live between two sweeps would be missed", zeroed.enable);
}

void RunCounting::add(const TrialSample& run) {
  if (!run.noGroup.empty()) noGroup = run.noGroup;
  unwaited |= run.unwaitedFaults.value_or(0) > 0;
  byJob |= run.byJob;
}

void judgeCounting(const RunCounting& counting, StatReport& report) {
  if (counting.byJob) return judgeJob(report);
  constexpr std::size_t kCommit = statFigure("peak_commit_bytes");
  if (!isKnown(report, kCommit)) report.qualities[kCommit] = unavailable("The runs end before a sample, after 10 ms");
  Quality& all = report.qualities[statFigure("group_peak_bytes")];
  if (!isKnown(report, statFigure("group_peak_bytes")))
    all = unavailable("A control group of the run's own would tell it, and " +
                      (counting.noGroup.empty() ? "this kernel does not tell it" : counting.noGroup));
  for (const std::size_t figure : {statFigure("faults"), statFigure("minor_faults"), statFigure("major_faults")}) {
    Quality& faults = report.qualities[figure];
    if (counting.unwaited)
      faults = estimated(
          "Counted by the kernel for a control group of the run's own, as nobody waited for some processes; "
          "faults that failed count there, too");
    else if (counting.noGroup.empty())
      faults = exact(std::string(kWaited) + "; a control group of the run's own counted no more");
    else faults = exact(std::string(kWaited) + kLeftOut + ": " + counting.noGroup);
  }
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

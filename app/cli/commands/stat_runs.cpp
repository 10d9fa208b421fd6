#include "app/cli/commands/stat_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "app/cli/commands/command.h"
#include "app/cli/runs/try_memory.h"
#include "app/cli/stacks/run_stacks.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/stat/text.h"
#include "core/text/command_words.h"
#include "core/text/quantity.h"
#include "core/trial/interval.h"
#include "platform/host/child_process.h"
#include "platform/host/costs/conditions.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

constexpr std::size_t kMostRuns = 10'000;

}  // namespace

void addRunOptions(CLI::App& app, StatOptions& options) {
  app.add_option("-r,--runs", options.runs, fmt::format("Runs of each program, 1 to 10000 (default {})", options.runs))
      ->check(CLI::Range(std::size_t{1}, kMostRuns))
      ->type_name("N");
  app.add_option("-w,--warmup", options.warmup,
                 fmt::format("Runs of each program before, which are not counted (default {})", options.warmup))
      ->check(CLI::Range(std::size_t{0}, kMostRuns))
      ->type_name("N");
  app.add_option("-n,--command-name", options.names, "The name of the program (default: its command)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--prepare", options.prepare, "A line that sh runs before each run, which is not counted")
      ->type_name("LINE");
  app.add_option("--cleanup", options.cleanup, "A line that sh runs after all runs")->type_name("LINE");
  app.add_option("--shell", options.shell,
                 "The shell that runs the lines of --command, --prepare and --cleanup (default: none, and sh)")
      ->type_name("SHELL");
  app.add_option("--input", options.input, "Standard input of each run (default: empty)")->type_name("FILE");
  app.add_flag("--show-output", options.showOutput,
               "Show standard output of the runs, on standard error (default: it is dropped)");
  app.add_flag("-i,--ignore-failure", options.ignoreFailure, "Count runs that fail, too");
  app.add_flag("--counts", options.counts,
               "Leave out the runs beside a collector: no fault time, zeroed or freed memory, nor lines of guard");
}

void checkRunOptions(const StatOptions& options) {
  const std::size_t programs = options.commands.size() + (options.program.empty() ? 0 : 1);
  if (options.names.size() > programs)
    throw CLI::ValidationError(fmt::format("{} names are given with -n, for {} program{}.", options.names.size(),
                                           programs, programs == 1 ? "" : "s"));
  if (!options.shell.empty() && options.commands.empty() && options.prepare.empty() && options.cleanup.empty())
    throw CLI::ValidationError("--shell runs lines: give the program as --command LINE.");
}

int writeReport(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") {
    StandardOutput out;
    const auto written = out.write(text);
    return written ? ExitCode::kOk : failedWrite(out, written.error());
  }
  std::ofstream stream(pathFromUtf8(file), std::ios::binary | std::ios::trunc);
  stream << text << std::flush;
  return stream ? ExitCode::kOk : failed({file + " could not be written."});
}

Result<StatRuns> StatRuns::plan(const CommonOptions& common, const StatOptions& options, Signals& signals) {
  StatRuns runs(common, options, signals);
  if (!options.program.empty()) runs.m_report.programs.push_back({.command = options.program});
  for (const std::string& line : options.commands) {
    auto words =
        options.shell.empty() ? commandWords(line) : Result<std::vector<std::string>>({options.shell, "-c", line});
    if (!words) return tl::unexpected(words.error());
    runs.m_report.programs.push_back({.command = std::move(*words)});
  }
  for (std::size_t i = 0; i < runs.m_report.programs.size(); ++i) {
    StatProgram& program = runs.m_report.programs[i];
    program.name = i < options.names.size() ? options.names[i] : commandText(program);
  }
  runs.m_started.resize(runs.m_report.programs.size());
  runs.m_report.qualities = runQualities(unavailable("No collector has measured"));
  return runs;
}

Result<void, StatFailure> StatRuns::run() {
  m_report.runs += m_options.runs;
  auto done = runPlain();
  if (done && !m_report.interrupted) done = runWatched();
  judgeCounting(m_counting, m_report);
  clear();
  if (done && !m_options.cleanup.empty() && !m_report.interrupted) return runLine(m_options.cleanup, "cleanup");
  return done;
}

Result<void, StatFailure> StatRuns::runPlain() {
  const std::size_t count = m_report.programs.size();
  const bool first = none();
  const std::size_t warmup = first ? m_options.warmup : 0;
  for (std::size_t round = 0; round < warmup + m_options.runs; ++round) {
    std::vector<TrialSample> samples(count);
    for (const std::size_t program : shuffledOrder(count, m_random())) {
      show(round < warmup ? fmt::format("Warm-up run {} of {}", round + 1, warmup)
                          : fmt::format("Run {} of {}", round - warmup + 1, m_options.runs),
           program);
      const Sample sample = runOnce(program);
      if (!sample) return tl::unexpected(sample.error());
      m_report.interrupted = !*sample;
      if (m_report.interrupted) return {};
      samples[program] = **sample;
    }
    for (std::size_t program = 0; round >= warmup && program < count; ++program) {
      addRun(m_report.programs[program], samples[program]);
      m_counting.add(samples[program]);
    }
  }
  return {};
}

Result<void, StatFailure> StatRuns::runWatched() {
  auto watch = RunMemoryWatch::start(m_common, m_signals.interrupt());
  if (!watch) {
    watchFailed(watch.error());
    return {};
  }
  const Machine& machine = watch->machine();
  m_report.place = StatPlace{
      .machine = placeOf(machine, costSettings()), .pageBytes = machine.pageBytes, .allocator = systemAllocator()};
  if (m_options.counts) {
    m_report.qualities = runQualities(unavailable("--counts leaves out the runs beside a collector"));
    return {};
  }
  addQualities(watch->quality(), watch->measures(), m_report.qualities);
  const auto price = watch->nsPerFault();
  for (StatProgram& program : m_report.programs)
    if (price) estimateFaultTime(*price, program);
  if (!watch->measures()) return {};
  for (std::size_t round = 0; round < m_options.runs; ++round) {
    const std::size_t count = m_report.programs.size();
    std::vector<RunMemory> memory(count);
    std::vector<std::uint32_t> processes(count);
    std::vector<std::map<std::string, double>> byName(count);
    for (const std::size_t program : shuffledOrder(count, m_random())) {
      show(fmt::format("Run {} of {}, to measure memory", round + 1, m_options.runs), program);
      const TrialWatch beside = watch->watch();
      const Sample sample = runOnce(program, &beside);
      if (!sample) return tl::unexpected(sample.error());
      m_report.interrupted = !*sample;
      if (m_report.interrupted) return {};
      const auto finished = watch->finish(m_signals.interrupt());
      if (!finished) {
        watchFailed(finished.error());
        return {};
      }
      memory[program] = *finished;
      processes[program] = watch->processes();
      byName[program] = watch->faultsByName((*sample)->startFaults);
    }
    ++m_report.watchedRuns;
    for (std::size_t i = 0; i < count; ++i) {
      if (price) memory[i][runFigure(ProcessMetric::FaultTime)].reset();  // estimated of all runs
      addMemory(m_report.programs[i], memory[i], processes[i]);
      addProcesses(m_report.programs[i], byName[i]);
    }
  }
  addQualities(watch->quality(), true, m_report.qualities);
  return {};
}

Result<void, StatFailure> StatRuns::runStacks(bool family) {
  for (std::size_t i = 0; i < m_report.programs.size() && !m_report.interrupted; ++i) {
    StatProgram& program = m_report.programs[i];
    show("Run to read call stacks", i);
    const auto faults = summaryOf(program.values[statFigure("faults")]);
    RunStacks stacks(m_common, faults ? faults->median : 0, family);
    const TrialWatch beside = stacks.watch();
    const Sample sample = runOnce(i, &beside);
    if (!sample) return tl::unexpected(sample.error());
    m_report.interrupted = !*sample;
    if (*sample) program.callSites = stacks.finish(m_signals.interrupt());
  }
  clear();
  return {};
}

void StatRuns::watchFailed(const Error& why) {
  m_report.qualities = runQualities(unavailable(why.message));
}

StatRuns::Sample StatRuns::runOnce(std::size_t program, const TrialWatch* watch) {
  const StatProgram& planned = m_report.programs[program];
  if (!m_options.prepare.empty())
    if (const auto prepared = runLine(m_options.prepare, "prepare"); !prepared) return tl::unexpected(prepared.error());
  const bool first = !m_started[program];
  m_started[program] = true;
  if (first) clear();
  const auto sample = runTrial({.words = planned.command,
                                .input = pathFromUtf8(m_options.input),
                                .showErrors = first || m_options.showOutput,
                                .output = m_options.showOutput ? TrialOutput::Shown : TrialOutput::Dropped,
                                .countsAll = true},
                               m_signals.takingInterrupt(), watch);
  if (!sample) return tl::unexpected(StatFailure{sample.error().message, ExitCode::kNotStarted});
  if (!*sample || m_options.ignoreFailure) return *sample;
  const ExitStatus end{.code = (*sample)->code, .signal = (*sample)->signal};
  if (end == ExitStatus{}) return *sample;
  return tl::unexpected(StatFailure{printableName(planned.name) + " " + howEnded(end) +
                                    ". To count it all the same, give --ignore-failure."});
}

Result<void, StatFailure> StatRuns::runLine(const std::string& line, const char* what) {
  const std::string shell = m_options.shell.empty() ? "sh" : m_options.shell;
  auto child = ChildProcess::start({.program = pathFromUtf8(shell),
                                    .arguments = {"-c", line},
                                    .output = ChildStream::ToStandardError,
                                    .quietInput = true});
  if (!child) return tl::unexpected(StatFailure{child.error().message});
  if (waitFor(child->ended(), std::nullopt, m_signals.interrupt()) == Waited::Interrupted)
    return tl::unexpected(StatFailure{"Interrupted.", ExitCode::kInterrupted});
  const ExitStatus end = child->wait();
  if (end == ExitStatus{}) return {};
  return tl::unexpected(StatFailure{fmt::format("The line of --{} {}: {}", what, howEnded(end), printableName(line))});
}

void StatRuns::show(const std::string& what, std::size_t program) {
  if (!isTerminal(StandardStream::Error) || terminalIsDumb()) return;
  const bool one = m_report.programs.size() == 1;
  sayOverLine(what + (one ? "" : ": " + printableName(m_report.programs[program].name)));
  m_shown = true;
}

void StatRuns::clear() {
  if (m_shown) sayOverLine("");
  m_shown = false;
}

}  // namespace faultline

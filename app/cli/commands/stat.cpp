// faultline-cli stat: count what programs cost over several runs, or what runs already costs for a time.
#include <algorithm>
#include <array>
#include <chrono>

#include "app/cli/commands/command.h"
#include "app/cli/commands/stat_runs.h"
#include "app/cli/runs/try_memory.h"
#include "app/cli/stacks/run_stacks.h"
#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/collector.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/monitor/monitor.h"
#include "core/stat/text.h"
#include "core/text/quantity.h"
#include "platform/host/costs/conditions.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kStatFooter =
    "Counts what PROGRAM and all processes that it starts cost: wall and CPU time,\n"
    "page faults, peak memory and commit, and, where the collector has the grant, the\n"
    "time in page faults, the memory zeroed and given back, and the processes. Page\n"
    "faults are as steady as nothing else that a program costs: they tell a hundredth\n"
    "more from one run.\n"
    "\n"
    "The runs are those of 'hyperfine -N': no shell, standard input is empty,\n"
    "standard output is dropped; the messages of the first run are shown. A run ends\n"
    "with the program: processes that it leaves behind are counted, and killed. The\n"
    "plain runs have no collector beside them. Where the collector measures more, as\n"
    "many runs follow with one.\n"
    "\n"
    "To compare programs, give each as --command 'LINE'; blanks and quotes part its\n"
    "words, and nothing is expanded. Each round runs all of them once, in random\n"
    "order.\n"
    "\n"
    "--stacks reads the call stacks of the page faults of the program and, without\n"
    "their first moments, of the processes that it starts: of at most 8 at once and\n"
    "64 in all; or of the process of -p alone. A line is the innermost of the\n"
    "program's own code; its number needs debug information (-g). The right to it has\n"
    "a collector with the grant, and, without page faults inside system calls, any\n"
    "where kernel.perf_event_paranoid is 2 or less.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli stat -- ./parser big.json\n"
    "  faultline-cli stat -r 30 --format json -o parser.json -- ./parser big.json\n"
    "  faultline-cli stat -n old --command './old a' -n new --command './new a'\n"
    "  faultline-cli stat -p 4711 -d 10s --stacks";

constexpr Nanoseconds kBetweenSweeps = 200ms;
using Steady = std::chrono::steady_clock;

struct Stat {
  StatOptions runs;
  std::uint32_t pid = 0;  // 0: none
  bool all = false;
  bool stacks = false;
  Nanoseconds duration{0};  // 0: no end
  std::string format = "table";
  std::string file;
};

// What a process and all that it starts, or the machine, costs until the time is over, the process ends or Ctrl-C.
class LiveStat {
 public:
  // `faults`: of the process; null: not asked for.
  LiveStat(const CommonOptions& common, const Stat& options, CollectorStream stream, FaultWatch* faults)
      : m_common(common), m_options(options), m_stream(std::move(stream)), m_faults(faults) {}

  Result<StatReport> run(Signals& signals) {
    Steady::time_point heard = Steady::now();
    while (!m_done) {
      const Nanoseconds patience = heard + m_stream.patience() - Steady::now();
      const auto left = timeLeft();
      const std::array handles{m_stream.ready(), signals.ready(), m_faults ? m_faults->ready() : kNoHandle};
      const Nanoseconds most = std::min(left.value_or(patience), patience);
      const Steady::time_point due = Steady::now() + most;
      const auto pause = m_faults ? m_faults->pause() : std::nullopt;
      const std::uint32_t ready = waitAny(handles, std::min(pause.value_or(most), most));
      if (m_faults) m_faults->step();
      if ((ready & 2U) != 0 && signals.interrupt().now()) break;
      const bool late = (ready & 3U) == 0 && Steady::now() >= due;
      if (late && left && *left <= patience) {
        m_stream.stop();  // its last sweep is of now
        m_stopping = true;
      } else if (late) {
        return tl::unexpected(m_stream.sentNothing());
      }
      if ((ready & 1U) == 0) continue;
      heard = Steady::now();
      if (const auto taken = receive(); !taken) return tl::unexpected(taken.error());
    }
    StatReport found = report();
    if (m_faults) {
      while (signals.next()) continue;  // a further one ends the wait for the last faults
      m_faults->stop();
      m_faults->finish(signals.interrupt());
      m_faults->limit(m_first, m_first + m_wall);
      found.programs.front().callSites = callSitesOf(*m_faults);
    }
    return found;
  }

 private:
  std::optional<Nanoseconds> timeLeft() const {
    if (m_stopping || m_options.duration == 0ns || m_monitor.snapshots() == 0) return std::nullopt;
    return m_begin + m_options.duration - Steady::now();
  }

  Result<void> receive() {
    m_stream.receive();
    for (;;) {
      const auto event = m_stream.next();
      if (!event) return tl::unexpected(event.error());
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
      if (const auto* const hello = std::get_if<Hello>(&*event)) ingestCalibrated(m_monitor, *hello, m_common);
      if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event))
        if (const auto taken = take(**snapshot); !taken) return taken;
    }
    if (!m_stream.ended()) return {};
    if (!m_stopping) return tl::unexpected(m_stream.whyEnded());
    m_done = true;
    return {};
  }

  Result<void> take(const Snapshot& snapshot) {
    const bool first = m_monitor.snapshots() == 0;
    m_monitor.ingest(snapshot);
    const Moment& now = m_monitor.now();
    if (first) {
      m_begin = Steady::now();
      m_first = now.time;
    }
    m_wall = now.time - m_first;
    std::uint64_t commit = 0;
    const auto isRoot = [this](const ProcessKey& key) { return key.pid == m_options.pid; };
    for (const ProcessRow& row : now.rows)
      if (m_options.all || isRoot(row.key) || startedBy(m_monitor, row.key, isRoot))
        commit += row.values.get(ProcessMetric::CommitBytes).value_or(0);
    m_commit = std::max(m_commit, commit);
    if (m_options.all) {
      addEveryone(first, now);
      return {};
    }
    const ProcessRow* found = nullptr;
    for (const ProcessRow& row : now.rows)
      if (row.key.pid == m_options.pid && (first || row.key == m_key)) found = &row;
    if (first && found == nullptr) return fail("There is no process " + std::to_string(m_options.pid) + ".");
    if (found == nullptr || found->exited) m_done = true;
    if (first) {
      m_key = found->key;
      m_name = found->name;
    }
    return {};
  }

  void addEveryone(bool first, const Moment& now) {
    if (first) return;
    const ProcessDeltas everyone = now.everyone();
    for (const ProcessMetric metric : allProcessMetrics())
      if (const auto delta = everyone.get(metric)) m_sum.set(metric, m_sum.get(metric).value_or(0) + *delta);
    m_born += now.born;
  }

  StatReport report() const {
    StatReport report{.qualities = runQualities(unavailable("Not measured")), .runs = 1};
    const Hello& hello = m_monitor.hello();
    report.place = StatPlace{.machine = placeOf(hello.machine, costSettings()),
                             .pageBytes = hello.machine.pageBytes,
                             .allocator = systemAllocator()};
    const auto cost = m_options.all ? std::optional(FamilyCost{.own = {}, .family = m_sum, .started = m_born})
                                    : m_monitor.cost(m_key);
    StatProgram program{.name = m_options.all ? "All processes" : m_name + " (" + std::to_string(m_options.pid) + ")"};
    if (cost) {
      addMemory(program, runMemory(cost->family, {}), cost->started + (m_options.all ? 0U : 1U));
      const auto add = [&](std::size_t figure, std::optional<double> value) {
        if (value) program.values[figure].push_back(*value);
      };
      const auto minor = cost->family.get(ProcessMetric::MinorFaults);
      const auto major = cost->family.get(ProcessMetric::MajorFaults);
      add(statFigure("wall_ns"), static_cast<double>(m_wall.count()));
      if (m_commit > 0) add(statFigure("peak_commit_bytes"), static_cast<double>(m_commit));
      add(statFigure("minor_faults"), minor);
      add(statFigure("major_faults"), major);
      if (minor) add(statFigure("faults"), static_cast<double>(*minor + major.value_or(0)));
    }
    setQualities(report.qualities);
    report.programs.push_back(std::move(program));
    return report;
  }

  void setQualities(OfStatFields<Quality>& qualities) const {
    const Hello& hello = m_monitor.hello();
    const bool sees = hello.quality(ProcessMetric::ChildMinorFaults).grade == Grade::Unavailable;
    RunMemoryQuality memory;
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = hello.quality(kRunFigures[i].metric);
    addQualities(memory, sees, qualities);
    if (!sees) qualities[statFigure("processes")] = estimated("Processes that live between two sweeps are missed");
    qualities[statFigure("wall_ns")] = exact("Between the first sweep and the last");
    qualities[statFigure("faults")] = qualities[statFigure("minor_faults")] = hello.quality(ProcessMetric::MinorFaults);
    qualities[statFigure("major_faults")] = hello.quality(ProcessMetric::MajorFaults);
    for (const std::size_t figure : {statFigure("cpu_ns"), statFigure("user_ns"), statFigure("system_ns")})
      qualities[figure] = unavailable("A collector counts no CPU time of running processes");
    const Quality& commit = hello.quality(ProcessMetric::CommitBytes);
    qualities[statFigure("peak_commit_bytes")] =
        commit.grade == Grade::Unavailable
            ? commit
            : estimated("The largest sum of all processes at a sweep: the peak is that or more");
    qualities[statFigure("group_peak_bytes")] = unavailable("The processes have no control group of their own");
    qualities[statFigure("peak_bytes")] = unavailable("A collector sees the memory of its sweeps, and no peak");
  }

  const CommonOptions& m_common;
  const Stat& m_options;
  CollectorStream m_stream;
  FaultWatch* m_faults;
  Monitor m_monitor;
  Steady::time_point m_begin{};
  MonotonicTime m_first;
  Nanoseconds m_wall{0};
  ProcessKey m_key;
  std::string m_name;
  ProcessDeltas m_sum;
  std::uint32_t m_born = 0;
  std::uint64_t m_commit = 0;  // the largest sum of a sweep
  bool m_stopping = false;
  bool m_done = false;
};

int write(const Stat& options, const StatReport& report) {
  const auto* const format = std::ranges::find(kStatFormats, options.format, &StatFormat::name);
  return writeReport(options.file, format->write(report));
}

int runLive(const CommonOptions& common, const Stat& options, Signals& signals) {
  std::optional<FaultWatch> faults;
  if (options.stacks) {
    faults.emplace(common, FaultWatchOptions{.pid = options.pid, .spreadsLost = true});
    faults->begin(signals.interrupt());
  }
  auto stream = CollectorStream::start(common, {.interval = kBetweenSweeps, .sampling = false});
  if (!stream) return failed(stream.error());
  const auto report = LiveStat(common, options, std::move(*stream), faults ? &*faults : nullptr).run(signals);
  if (!report) return failed(report.error());
  const bool none = report->programs.front().values[statFigure("wall_ns")].empty();
  return none ? ExitCode::kInterrupted : write(options, *report);
}

int runStat(const CommonOptions& common, const Stat& options) {
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  if (!options.file.empty() && options.file != "-")
    if (const auto may = mayWrite(pathFromUtf8(options.file)); !may) return failed(may.error());
  if (options.pid != 0 || options.all) return runLive(common, options, *signals);
  auto runs = StatRuns::plan(common, options.runs, *signals);
  if (!runs) {
    complain(runs.error().message);
    return ExitCode::kUsage;
  }
  if (const auto run = runs->run(); !run) {
    complain(run.error().message);
    return run.error().code;
  }
  if (options.stacks && !runs->none())
    if (const auto run = runs->runStacks(true); !run) {
      complain(run.error().message);
      return run.error().code;
    }
  return runs->none() ? ExitCode::kInterrupted : write(options, runs->report());
}

void checkStat(const Stat& options) {
  const bool program = !options.runs.program.empty() || !options.runs.commands.empty();
  if ((program ? 1 : 0) + (options.pid != 0 ? 1 : 0) + (options.all ? 1 : 0) != 1)
    throw CLI::ValidationError(
        "Name what to measure: a program and its arguments after --, programs with --command, a process with -p, or "
        "all with -a.");
  if (program && options.duration != 0ns)
    throw CLI::ValidationError("--duration is the time of -p and -a: a program runs until it ends.");
  if (options.all && options.stacks)
    throw CLI::ValidationError("--stacks reads the call stacks of one process: name it with -p.");
  checkRunOptions(options.runs);
}

}  // namespace

void addStat(Commands& commands) {
  auto options = std::make_shared<Stat>();
  CLI::App* app = commands.app.add_subcommand("stat", "Count what programs cost, over several runs");
  app->footer(kStatFooter);
  addRunOptions(*app, options->runs);
  app->add_option("--command", options->runs.commands, "A program as a line; may be repeated, to compare programs")
      ->type_name("LINE")
      ->allow_extra_args(false);
  app->add_option("-p,--pid", options->pid, "A running process and all that it starts, in place of a program")
      ->check(CLI::Range(1U, 1U << 30U))
      ->type_name("PID");
  app->add_flag("-a,--all", options->all, "All processes, in place of a program");
  app->add_flag("--stacks", options->stacks,
                "Tell the lines that fault most: of a program by one more run, of a process with -p at once");
  addDuration(*app, "-d,--duration", options->duration, 1ms, 1000h, "The time of -p and -a (default: until Ctrl-C)");
  addFormat(*app, kStatFormats, options->format);
  app->add_option("-o,--output", options->file, "Write the report to FILE in place of standard output")
      ->type_name("FILE");
  addProgram(*app);
  app->callback([&commands, options] {
    options->runs.program = commands.program;
    commands.takesProgram = true;
    checkStat(*options);
    commands.run = [&commands, options] { return runStat(*commands.common, *options); };
  });
}

}  // namespace faultline

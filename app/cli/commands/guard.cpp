// faultline-cli guard: fail if a program costs more than its baseline.
#include "core/stat/guard.h"

#include <algorithm>
#include <iterator>

#include "app/cli/commands/command.h"
#include "app/cli/commands/stat_runs.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/base/file_text.h"
#include "core/stat/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr const char* kGuardFooter =
    "Runs PROGRAM as 'faultline-cli stat' does, and compares the counts with those of\n"
    "a baseline: page faults, peak memory, and, with the grant, memory zeroed and\n"
    "given back, and processes. A count has grown if the medians differ by more than\n"
    "--fail-over and by more than noise: by so much the medians of equal programs may\n"
    "differ, as the runs themselves show (Student's t, 99.8 %). Where noise leaves\n"
    "that open, up to two more sets of runs follow.\n"
    "\n"
    "The baseline is a file of --save, or of 'stat --format json', and knows its\n"
    "machine. On another machine, or with another kernel, allocator or setting of\n"
    "large pages, guard says so, and judges counts alone; pages of another size are\n"
    "an error. Times are judged only with --times: those of a busy machine differ by\n"
    "more than programs do.\n"
    "\n"
    "Where a figure grew, and the baseline and one more run have the call stacks of\n"
    "page faults, as with 'stat --stacks', guard names the lines that grew. Lines are\n"
    "compared by their text, so that a baseline holds where lines move; paths below\n"
    "GITHUB_WORKSPACE, else the present folder, are told from there.\n"
    "\n"
    "The exit code is 4 if a figure grew.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli guard --baseline parser.json --save -r 10 -- ./parser big.json\n"
    "  faultline-cli guard --baseline parser.json -- ./parser big.json\n"
    "  faultline-cli guard -b parser.json --sarif guard.sarif -- ./parser big.json";

constexpr int kMostSets = 3;

struct GuardOptions {
  StatOptions runs{.runs = 3, .warmup = 1};
  std::string baseline;
  bool save = false;
  double failOver = 0.5;  // percent
  bool times = false;
  std::array<std::string, std::size(kGuardFormats)> files;  // of each format but that of standard output; empty: none
  std::string format = "table";
};

Result<StatReport> readBaseline(const std::string& name) {
  const auto text = fileText(pathFromUtf8(name));
  if (!text) return fail("The baseline " + name + " " + text.error().message + " Make it with --save.");
  auto baseline = parseStat(*text);
  if (!baseline) return fail("The baseline " + name + " " + baseline.error().message);
  return baseline;
}

int saveBaseline(const std::string& file, const StatReport& report) {
  if (report.interrupted) return ExitCode::kInterrupted;
  const int code = writeReport(file, statJson(report));
  if (code == ExitCode::kOk && file != "-")
    say(file + " is the baseline of " + printableName(report.programs.front().name) + " now, by " +
        std::to_string(report.runs) + " runs.");
  return code;
}

// Runs until no figure is unclear, or a figure grew.
Result<Guarded, StatFailure> runAndJudge(const GuardOptions& options, const StatReport& baseline, StatRuns& runs) {
  const auto failure = [](const Error& why) { return tl::unexpected(StatFailure{why.message}); };
  if (const auto fits = guard(baseline, runs.report(), 0, false); !fits) return failure(fits.error());
  for (int set = 1;; ++set) {
    if (const auto run = runs.run(); !run) return tl::unexpected(run.error());
    if (runs.none()) return tl::unexpected(StatFailure{"Interrupted.", ExitCode::kInterrupted});
    auto guarded = guard(baseline, runs.report(), options.failOver / 100, options.times);
    if (!guarded) return failure(guarded.error());
    const bool open = guarded->has(StatVerdict::Unclear) && !guarded->has(StatVerdict::Worse);
    if (open && set < kMostSets && !runs.report().interrupted) continue;
    if (!guarded->has(StatVerdict::Worse) || options.runs.counts || runs.report().interrupted) return *guarded;
    if (const auto run = runs.runStacks(false); !run) return tl::unexpected(run.error());
    return *guard(baseline, runs.report(), options.failOver / 100, options.times);
  }
}

int runGuard(const CommonOptions& common, const GuardOptions& options) {
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  if (options.save && options.baseline != "-")
    if (const auto may = mayWrite(pathFromUtf8(options.baseline)); !may) return failed(may.error());
  for (const std::string& file : options.files)
    if (!file.empty())
      if (const auto may = mayWrite(pathFromUtf8(file)); !may) return failed(may.error());
  auto runs = StatRuns::plan(common, options.runs, *signals);
  if (!runs) return failed(runs.error());
  if (options.save) {
    auto run = runs->run();
    if (run && !options.runs.counts) run = runs->runStacks(false);
    if (!run) {
      complain(run.error().message);
      return run.error().code;
    }
    return saveBaseline(options.baseline, runs->report());
  }
  const auto baseline = readBaseline(options.baseline);
  if (!baseline) return failed(baseline.error());
  const auto guarded = runAndJudge(options, *baseline, *runs);
  if (!guarded) {
    complain(guarded.error().message);
    return guarded.error().code;
  }
  for (std::size_t i = 0; i < options.files.size(); ++i)
    if (!options.files[i].empty())
      if (const int code = writeReport(options.files[i], kGuardFormats[i].write(*guarded)); code != ExitCode::kOk)
        return code;
  const auto* const format = std::ranges::find(kGuardFormats, options.format, &GuardFormat::name);
  if (const int code = writeReport("", format->write(*guarded)); code != ExitCode::kOk) return code;
  if (guarded->has(StatVerdict::Worse)) return ExitCode::kTooSlow;
  if (guarded->has(StatVerdict::Better)) say("A figure is better. --save makes such runs the baseline.");
  return ExitCode::kOk;
}

}  // namespace

void addGuard(Commands& commands) {
  auto options = std::make_shared<GuardOptions>();
  CLI::App* app = commands.app.add_subcommand("guard", "Fail if a program costs more than its baseline");
  app->footer(kGuardFooter);
  app->add_option("-b,--baseline", options->baseline, "The baseline to compare with, or to write")
      ->required()
      ->type_name("FILE");
  app->add_flag("--save", options->save, "Make these runs the baseline; nothing is judged");
  app->add_option("--fail-over", options->failOver, "Growth that is allowed, besides noise (default 0.5)")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("PERCENT");
  app->add_flag("--times", options->times, "Judge wall and CPU time, too, on the machine of the baseline");
  addRunOptions(*app, options->runs);
  for (std::size_t i = 1; i < options->files.size(); ++i) {
    const std::string name(kGuardFormats[i].name);
    app->add_option("--" + name, options->files[i], "Write the report as " + name + ", too")->type_name("FILE");
  }
  addFormat(*app, kGuardFormats, options->format, "Of standard output: ");
  addProgram(*app);
  app->callback([&commands, options] {
    options->runs.program = commands.program;
    commands.takesProgram = true;
    if (options->runs.program.empty()) throw CLI::ValidationError("Name a program and its arguments after --.");
    checkRunOptions(options->runs);
    std::vector<std::string> outputs(options->files.begin(), options->files.end());
    outputs.push_back(options->baseline);
    checkDistinct(outputs);
    commands.run = [&commands, options] { return runGuard(*commands.common, *options); };
  });
}

}  // namespace faultline

// faultline-cli try: run a program with and without remedies that need no change to it, and tell which of them pay.
#include <algorithm>
#include <random>
#include <tuple>

#include "app/cli/commands/command.h"
#include "app/cli/runs/try_frames.h"
#include "app/cli/runs/try_memory.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"
#include "core/trial/progress.h"
#include "core/trial/text.h"
#include "platform/host/lab/isolation.h"
#include "platform/host/signals.h"
#include "platform/host/terminal.h"
#include "platform/host/trial/place.h"
#include "platform/host/trial/run.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct TryOptions {
  std::vector<std::string> with;  // empty: all
  std::optional<std::size_t> rounds;
  std::uint64_t prefaultMiB = kPrefaultBytes >> 20U;
  std::string format = "table";
  std::string input;
  std::optional<double> failUnder;  // percent
  std::optional<std::uint64_t> seed;
  bool sameOutput = false;
  bool frames = false;
  FrameWishes wishes;
  std::uint32_t endsWith = 0;  // not 0: ends when this process, its parent, ends, and tells it each run
  std::vector<std::string> program;
};

std::string tryFooter() {
  std::string text = "Remedies:\n";
  for (const Remedy& remedy : remediesFor(anyTrialPlace()))
    text += "  " + remedy.name + std::string(14 - remedy.name.size(), ' ') + remedy.what + "\n";
  return text +
         "\n"
         "After one run that is not counted, each round runs PROGRAM once without and once with each remedy, in "
         "random\n"
         "order. A run in which PROGRAM waited for a processor for more than a tenth of the time is repeated, at most\n"
         "twice. PROGRAM reads an empty standard input, or FILE; its standard output is not shown, but a remedy that\n"
         "changes it is told with the first lines that differ. All processes that PROGRAM leaves behind are killed.\n"
         "Ctrl-C ends the runs, and shows the complete rounds.\n"
         "\n"
         "Every second round is followed by another one, in which a collector measures the time in page faults, and "
         "the\n"
         "memory that was zeroed and freed. The times of its runs are not compared, as a measured fault takes longer.\n"
         "\n"
         "With --frames, a game's frames are compared in place of run times: the mean time of a frame in page faults\n"
         "and in giving memory back, all threads together, as far as it can be measured here; else the mean number of\n"
         "its page faults. The report says which, and also has the late frames and the percentiles of durations.\n"
         "Frames end as in 'faultline-cli frames'; the exit code is 5 if none does. A game that does not end by\n"
         "itself needs --duration: it gets SIGTERM then, and SIGKILL after a second.\n"
         "\n"
         "Examples:\n"
         "  faultline-cli try -- ./level-loader --headless\n"
         "  faultline-cli try --with keep --with jemalloc --rounds 30 -- sort words.txt\n"
         "  faultline-cli try --frames --duration 20s -- ./game --demo\n"
         "  faultline-cli try --with keep --fail-under 10 --format markdown -- ./bench";
}

// Ends the trial.
struct Failure {
  std::string message;
  int code = ExitCode::kNotStarted;
};

// The runs of all rounds. `run()` returns with what is known when the user interrupts.
class Trial {
 public:
  Trial(const CommonOptions& common, const TryOptions& options, TrialReport& report, Signals& signals)
      : m_common(common),
        m_options(options),
        m_report(report),
        m_signals(signals),
        m_random(options.seed ? *options.seed : std::random_device{}()) {}

  Result<void, Failure> run() {
    m_command = {.words = m_options.program, .input = pathFromUtf8(m_options.input), .showErrors = true};
    auto first = runOnce();  // fills caches, and shows the program's messages
    if (!first) return tl::unexpected(first.error());
    m_first = *first;
    if (m_first) tellTime(m_first->wall);
    m_command.showErrors = false;
    for (std::size_t round = 0; round < m_report.rounds && !m_report.interrupted; ++round) {
      if (const auto done = runRound(round); !done) return done;
      if (!m_options.frames && !m_report.interrupted && round % 2 == 0)
        if (const auto done = watchRound(round); !done) return done;
    }
    if (m_shown) sayOverLine("");
    m_report.dropIncompleteRounds();
    return {};
  }

 private:
  using Sample = Result<std::optional<TrialSample>, Failure>;  // absent: interrupted

  Result<void, Failure> runRound(std::size_t round) {
    const std::size_t count = m_report.tried.size() + 1;
    for (const std::size_t place : shuffledOrder(count, m_random())) {
      m_command.remedy = place == 0 ? Remedy{} : m_report.tried[place - 1].remedy;
      show(round);
      auto sample = runQuietly();
      if (!sample) return tl::unexpected(sample.error());
      if (!*sample) return {};
      addRun(place == 0 ? m_report.plain : m_report.tried[place - 1].samples, **std::move(sample));
    }
    return {};
  }

  // Measures memory, where a collector can.
  Result<void, Failure> watchRound(std::size_t round) {
    if (m_report.memoryQuality && m_report.plainMemory.empty()) return {};
    auto watch = RunMemoryWatch::start(m_common, m_signals.interrupt());
    if (!watch) return doWithoutMemory(watch.error());
    m_report.memoryQuality = watch->quality();
    m_report.nsPerFault = watch->nsPerFault();
    const std::size_t count = watch->measures() ? m_report.tried.size() + 1 : 0;
    for (const std::size_t place : shuffledOrder(count, m_random())) {
      m_command.remedy = place == 0 ? Remedy{} : m_report.tried[place - 1].remedy;
      show(round, ", to measure memory");
      const TrialWatch beside = watch->watch();
      const auto sample = runTrial(m_command, m_signals.takingInterrupt(), &beside);
      if (!sample) return tl::unexpected(Failure{sample.error().message});
      m_report.interrupted = !*sample;
      if (!*sample) return {};
      const auto memory = watch->finish(m_signals.interrupt());
      if (!memory) return doWithoutMemory(memory.error());
      (place == 0 ? m_report.plainMemory : m_report.tried[place - 1].memory).push_back(*memory);
    }
    m_report.memoryQuality = watch->quality();
    return {};
  }

  Result<void, Failure> doWithoutMemory(const Error& why) {
    m_report.memoryQuality.emplace().fill(unavailable(why.message));
    m_report.plainMemory.clear();
    for (TriedRemedy& tried : m_report.tried) tried.memory.clear();
    return {};
  }

  void tellTime(Nanoseconds run) const {
    constexpr Nanoseconds kLong = 1min;
    const auto runs = static_cast<std::int64_t>(m_report.rounds * (m_report.tried.size() + 1));
    if (m_report.rounds < neededRounds(m_report.tried.size())) say(roundsNeededText(m_report, run));
    else if (run * runs >= kLong) say(timeNeededText(m_report, run));
  }

  // A disturbed run is repeated; the last repetition counts, disturbed or not.
  Sample runQuietly() {
    constexpr int kMostRepetitions = 2;
    auto sample = runOnce();
    for (int i = 0; i < kMostRepetitions && sample && *sample && disturbed(**sample); ++i) {
      ++m_report.repeated;
      sample = runOnce();
    }
    return sample;
  }

  Sample runOnce() {
    RunFrames frames(m_common, m_options.wishes, [this](const std::string& sentence) {
      if (m_command.showErrors) say(sentence);
    });
    const TrialWatch watch = frames.watch();
    auto sample = runTrial(m_command, m_signals.takingInterrupt(), m_options.frames ? &watch : nullptr);
    if (!sample) return tl::unexpected(Failure{sample.error().message});
    m_report.interrupted |= !*sample;
    if (!*sample || !m_options.frames) return *sample;
    const auto added = addFrames(frames, **sample);
    m_report.interrupted |= m_signals.interrupt().now();
    if (m_report.interrupted) return std::nullopt;
    if (!added) return tl::unexpected(added.error());
    return *sample;
  }

  // A remedy with which the program fails may leave it without a frame.
  Result<void, Failure> addFrames(RunFrames& frames, TrialSample& sample) {
    const auto figures = frames.finish(sample, m_signals.interrupt());
    if (!figures) return tl::unexpected(Failure{figures.error().message, ExitCode::kFailure});
    const auto end = [](const TrialSample& run) { return std::tuple(run.code, run.signal, run.ended); };
    const bool asUsual = !m_first || end(*m_first) == end(sample);
    if (!*figures && asUsual) return tl::unexpected(Failure{frames.whyNone(), ExitCode::kNoFrame});
    sample.frames = *figures;
    if (!m_report.watched) m_report.watched = frames.watched();
    return {};
  }

  void show(std::size_t round, const char* purpose = "") {
    const std::string name = m_command.remedy.name.empty() ? "without a remedy" : m_command.remedy.name;
    const std::string words =
        "Round " + std::to_string(round + 1) + " of " + std::to_string(m_report.rounds) + purpose + ": " + name;
    ++m_run;
    if (m_options.endsWith != 0) return say(trialProgressLine({m_run, plannedRuns(), words}));
    if (!isTerminal(StandardStream::Error) || terminalIsDumb()) return;
    sayOverLine(words);
    m_shown = true;
  }

  // Every second round is run once more to measure memory, as long as that can be measured.
  [[nodiscard]] std::size_t plannedRuns() const {
    const bool measures = !m_options.frames && !(m_report.memoryQuality && m_report.plainMemory.empty());
    const std::size_t rounds = m_report.rounds + (measures ? (m_report.rounds + 1) / 2 : 0);
    return std::max(rounds * (m_report.tried.size() + 1), m_run);
  }

  const CommonOptions& m_common;
  const TryOptions& m_options;
  TrialReport& m_report;
  Signals& m_signals;
  std::mt19937_64 m_random;
  TrialCommand m_command;
  std::optional<TrialSample> m_first;
  std::size_t m_run = 0;  // which goes on, from 1
  bool m_shown = false;
};

TrialReport planOf(const TryOptions& options) {
  TrialReport report{.command = options.program,
                     .input = options.input,
                     .sameOutput = options.sameOutput,
                     .duration = options.wishes.duration};
  for (Remedy& remedy : remediesFor(trialPlace(options.program.front()), options.prefaultMiB << 20U)) {
    const bool wanted = options.with.empty() || std::ranges::find(options.with, remedy.name) != options.with.end();
    if (!wanted) continue;
    if (remedy.absent) report.absent.push_back(std::move(remedy));
    else report.tried.push_back({.remedy = std::move(remedy)});
  }
  report.rounds = options.rounds.value_or(usualRounds(report.tried.size()));
  return report;
}

bool gainsEnough(const TrialReport& report, double percent) {
  const TrialResult result = judge(report);
  const TrialRow* best = bestOf(result);
  return best != nullptr && best->gain->low * 100 >= percent;
}

int runTry(const CommonOptions& common, const TryOptions& options) {
  if (options.endsWith != 0) endWithParent(options.endsWith);
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  TrialReport report = planOf(options);
  if (report.tried.empty()) {
    for (const Remedy& remedy : report.absent) say(absentText(remedy));
    return failed({"No remedy can be tried with " + printableName(options.program.front()) + "."});
  }
  if (const auto run = Trial(common, options, report, *signals).run(); !run) {
    complain(run.error().message);
    return run.error().code;
  }
  if (report.plain.empty()) return ExitCode::kInterrupted;
  StandardOutput out;
  const auto* const format = std::ranges::find(kTrialFormats, options.format, &TrialFormat::name);
  if (const auto written = out.write(format->write(report)); !written) return failedWrite(out, written.error());
  return options.failUnder && !gainsEnough(report, *options.failUnder) ? ExitCode::kGainsLess : ExitCode::kOk;
}

}  // namespace

void addTry(Commands& commands) {
  auto options = std::make_shared<TryOptions>();
  CLI::App* app = commands.app.add_subcommand("try", "Try remedies for page faults on a program, and prove their gain");
  app->footer(tryFooter());
  std::vector<std::string> names;
  for (const Remedy& remedy : remediesFor(anyTrialPlace())) names.push_back(remedy.name);
  app->add_option("--with", options->with, "A remedy to try, may be repeated (default: all that can be tried here)")
      ->check(CLI::IsMember(names))
      ->type_name("REMEDY");
  app->add_option("--rounds,--runs", options->rounds,
                  "Rounds, 1 to 10000 (default: 12, or more where a verdict on so many remedies needs them)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000}))
      ->type_name("N");
  app->add_option("--prefault", options->prefaultMiB, "MiB that the remedy prefault populates (default 256)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20U))
      ->type_name("MIB");
  CLI::Option* frames =
      app->add_flag("--frames", options->frames, "Compare the frames of a game in place of run times");
  app->add_option("--mark", options->wishes.mark, "The mark or function that ends a frame, as of 'frames'")
      ->needs(frames)
      ->type_name("NAME|FILE:FUNCTION");
  addDuration(*app, "-d,--duration", options->wishes.duration, 100ms, 1000h,
              "End each run after this time of frames (default: when the program ends)")
      ->needs(frames);
  app->add_option("--input", options->input, "Standard input of each run (default: empty)")->type_name("FILE");
  app->add_flag("--same-output", options->sameOutput,
                "Reject a remedy that changes standard output, for programs that print nothing of time or memory");
  std::vector<std::string> formats;
  for (const TrialFormat& format : kTrialFormats) formats.emplace_back(format.name);
  app->add_option("-f,--format", options->format, "table (default), json or markdown")
      ->check(CLI::IsMember(formats))
      ->type_name("FORMAT");
  app->add_option("--fail-under", options->failUnder,
                  "Exit with 7 unless a remedy is proven to save this share of what is compared")
      ->check(CLI::Range(0.0, 100.0))
      ->type_name("PERCENT");
  app->add_option("--seed", options->seed,
                  "The same order of runs again: the seed that a report names (default: another)")
      ->type_name("N");
  app->add_option("--ends-with", options->endsWith)->group("");  // used by the window
  addProgram(*app);
  app->callback([&commands, options] {
    options->program = commands.program;
    commands.takesProgram = true;
    if (options->program.empty()) throw CLI::ValidationError("Name a program and its arguments after --.");
    commands.run = [&commands, options] { return runTry(*commands.common, *options); };
  });
}

}  // namespace faultline

// faultline-cli try: run a program with and without remedies that need no change to it, and tell which of them pay.
#include <algorithm>
#include <random>

#include "app/cli/commands/command.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"
#include "core/trial/text.h"
#include "platform/host/signals.h"
#include "platform/host/terminal.h"
#include "platform/host/trial/place.h"
#include "platform/host/trial/run.h"

namespace faultline {
namespace {

struct TryOptions {
  std::vector<std::string> with;  // empty: all
  std::size_t rounds = 12;
  std::string format = "table";
  std::string input;
  std::optional<double> failUnder;  // percent
  std::optional<std::uint64_t> seed;
  std::vector<std::string> program;
};

std::string footer() {
  std::string text = "Remedies:\n";
  for (const Remedy& remedy : remediesFor({}))
    text += "  " + remedy.name + std::string(12 - remedy.name.size(), ' ') + remedy.what + "\n";
  return text +
         "\n"
         "After one run that is not counted, each round runs PROGRAM once without and once with each remedy, in "
         "random\n"
         "order. A run in which PROGRAM waited for a processor for more than a tenth of the time is repeated, at most\n"
         "twice. PROGRAM reads an empty standard input, or FILE; its standard output is compared and not shown. All\n"
         "processes that PROGRAM leaves behind are killed. Ctrl-C ends the runs, and shows the complete rounds.\n"
         "\n"
         "Examples:\n"
         "  faultline-cli try -- ./level-loader --headless\n"
         "  faultline-cli try --with keep --with jemalloc --runs 30 -- sort words.txt\n"
         "  faultline-cli try --with keep --fail-under 10 --format markdown -- ./bench";
}

// The runs of all rounds. `run()` returns with what is known when the user interrupts.
class Trial {
 public:
  Trial(const TryOptions& options, TrialReport& report, Signals& signals)
      : m_options(options),
        m_report(report),
        m_signals(signals),
        m_random(options.seed ? *options.seed : std::random_device{}()) {}

  Result<void> run() {
    m_command = {.words = m_options.program, .input = pathFromUtf8(m_options.input), .showErrors = true};
    auto first = runOnce();  // fills caches, and shows the program's messages
    if (!first) return tl::unexpected(first.error());
    m_command.showErrors = false;
    for (std::size_t round = 0; round < m_report.rounds && !m_report.interrupted; ++round) {
      if (const auto done = runRound(round); !done) return done;
    }
    if (m_shown) sayOverLine("");
    m_report.dropIncompleteRounds();
    return {};
  }

 private:
  Result<void> runRound(std::size_t round) {
    const std::size_t count = m_report.tried.size() + 1;
    for (const std::size_t place : shuffledOrder(count, m_random())) {
      m_command.remedy = place == 0 ? Remedy{} : m_report.tried[place - 1].remedy;
      show(round);
      auto sample = runQuietly();
      if (!sample) return tl::unexpected(sample.error());
      if (!*sample) return {};
      (place == 0 ? m_report.plain : m_report.tried[place - 1].samples).push_back(**sample);
    }
    return {};
  }

  // A disturbed run is repeated; the last repetition counts, disturbed or not.
  Result<std::optional<TrialSample>> runQuietly() {
    constexpr int kMostRepetitions = 2;
    auto sample = runOnce();
    for (int i = 0; i < kMostRepetitions && sample && *sample && disturbed(**sample); ++i) {
      ++m_report.repeated;
      sample = runOnce();
    }
    return sample;
  }

  Result<std::optional<TrialSample>> runOnce() {
    auto sample = runTrial(m_command, {.ready = m_signals.ready(), .requested = [this] { return endRequested(); }});
    if (sample && !*sample) m_report.interrupted = true;
    return sample;
  }

  bool endRequested() {
    bool requested = false;
    while (const auto signal = m_signals.next())
      requested |= *signal == Signal::Interrupt || *signal == Signal::Terminate;
    return requested;
  }

  void show(std::size_t round) {
    if (!isTerminal(StandardStream::Error) || terminalIsDumb()) return;
    const std::string name = m_command.remedy.name.empty() ? "without a remedy" : m_command.remedy.name;
    sayOverLine("Round " + std::to_string(round + 1) + " of " + std::to_string(m_report.rounds) + ": " + name);
    m_shown = true;
  }

  const TryOptions& m_options;
  TrialReport& m_report;
  Signals& m_signals;
  std::mt19937_64 m_random;
  TrialCommand m_command;
  bool m_shown = false;
};

TrialReport planOf(const TryOptions& options) {
  TrialReport report{.command = options.program, .input = options.input, .rounds = options.rounds};
  for (Remedy& remedy : remediesFor(trialPlace(options.program.front()))) {
    const bool wanted = options.with.empty() || std::ranges::find(options.with, remedy.name) != options.with.end();
    if (!wanted) continue;
    if (remedy.absent) report.absent.push_back(std::move(remedy));
    else report.tried.push_back({.remedy = std::move(remedy)});
  }
  return report;
}

bool gainsEnough(const TrialReport& report, double percent) {
  const TrialResult result = judge(report);
  const TrialRow* best = bestOf(result);
  return best != nullptr && best->gain->low * 100 >= percent;
}

int runTry(const TryOptions& options) {
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  TrialReport report = planOf(options);
  if (report.tried.empty()) {
    for (const Remedy& remedy : report.absent) say(absentText(remedy));
    return failed({"No remedy can be tried with " + printableName(options.program.front()) + "."});
  }
  if (const auto run = Trial(options, report, *signals).run(); !run) {
    complain(run.error().message);
    return ExitCode::kNotStarted;
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
  app->footer(footer());
  std::vector<std::string> names;
  for (const Remedy& remedy : remediesFor({})) names.push_back(remedy.name);
  app->add_option("--with", options->with, "A remedy to try, may be repeated (default: all that can be tried here)")
      ->check(CLI::IsMember(names))
      ->type_name("REMEDY");
  app->add_option("--runs", options->rounds, "Rounds, 1 to 10000 (default 12)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000}))
      ->type_name("N");
  app->add_option("--input", options->input, "Standard input of each run (default: empty)")->type_name("FILE");
  std::vector<std::string> formats;
  for (const TrialFormat& format : kTrialFormats) formats.emplace_back(format.name);
  app->add_option("-f,--format", options->format, "table (default), json or markdown")
      ->check(CLI::IsMember(formats))
      ->type_name("FORMAT");
  app->add_option("--fail-under", options->failUnder,
                  "Exit with 7 unless a remedy is proven to save this share of the wall time")
      ->check(CLI::Range(0.0, 100.0))
      ->type_name("PERCENT");
  app->add_option("--seed", options->seed, "Of the order of the runs (default: another each time)")->type_name("N");
  app->add_option_function<std::string>(
      "PROGRAM", [](const std::string& word) { throw CLI::ValidationError(missingDashesHint("try", word)); },
      "A program and its arguments, after --");
  app->callback([&commands, options] {
    options->program = commands.program;
    commands.takesProgram = true;
    if (options->program.empty()) throw CLI::ValidationError("Name a program and its arguments after --.");
    commands.run = [options] { return runTry(*options); };
  });
}

}  // namespace faultline

// StatRuns: the runs of the programs of `faultline-cli stat` and `guard`, with the options of both.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "app/cli/stream/common_options.h"
#include "app/cli/text/exit_code.h"
#include "core/stat/report.h"
#include "platform/host/signals.h"
#include "platform/host/trial/run.h"

namespace faultline {

struct StatOptions {
  std::vector<std::string> program{};   // after "--"
  std::vector<std::string> commands{};  // lines
  std::vector<std::string> names{};     // of the programs, in order
  std::size_t runs = 10;
  std::size_t warmup = 0;
  std::string shell{};  // runs lines; empty: none does
  std::string prepare{};
  std::string cleanup{};
  std::string input{};
  bool showOutput = false;
  bool ignoreFailure = false;
  bool counts = false;  // no runs beside a collector
};

void addRunOptions(CLI::App& app, StatOptions& options);
// Throws CLI::ValidationError.
void checkRunOptions(const StatOptions& options);
// Writes text to a file, or to standard output if there is none. Returns the exit code.
[[nodiscard]] int writeReport(const std::string& file, const std::string& text);

// Ends the runs.
struct StatFailure {
  std::string message;
  int code = ExitCode::kFailure;
};

class StatRuns {
 public:
  // Error: a command line that is no command.
  [[nodiscard]] static Result<StatRuns> plan(const CommonOptions& common, const StatOptions& options, Signals& signals);

  // Adds a set of runs to the report, each round in random order, then as many beside a collector, where that measures
  // more. An interrupt leaves the complete rounds.
  [[nodiscard]] Result<void, StatFailure> run();
  // Adds the call sites of the page faults of each program, by one more run of each. `family`: also of what it starts.
  [[nodiscard]] Result<void, StatFailure> runStacks(bool family);
  [[nodiscard]] const StatReport& report() const { return m_report; }
  [[nodiscard]] bool none() const { return m_report.programs.front().values.front().empty(); }  // no round is complete

 private:
  StatRuns(const CommonOptions& common, const StatOptions& options, Signals& signals)
      : m_common(common), m_options(options), m_signals(signals) {}
  [[nodiscard]] Result<void, StatFailure> runPlain();
  [[nodiscard]] Result<void, StatFailure> runWatched();
  void watchFailed(const Error& why);
  // Absent: interrupted.
  using Sample = Result<std::optional<TrialSample>, StatFailure>;
  [[nodiscard]] Sample runOnce(std::size_t program, const TrialWatch* watch = nullptr);
  [[nodiscard]] Result<void, StatFailure> runLine(const std::string& line, const char* what);
  void show(const std::string& what, std::size_t program);
  void clear();

  const CommonOptions& m_common;
  const StatOptions& m_options;
  Signals& m_signals;
  std::mt19937_64 m_random{std::random_device{}()};
  StatReport m_report;
  RunCounting m_counting;
  std::vector<bool> m_started;  // program has run: its messages have been shown
  bool m_shown = false;
};

}  // namespace faultline

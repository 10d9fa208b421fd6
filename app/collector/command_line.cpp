#include "app/collector/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>

#include "app/collector/pace.h"
#include "core/model/cost_words.h"
#include "core/text/duration.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr int kUsageError = 2;
constexpr std::uint32_t kMostProcesses = 100'000;
constexpr int kMostLooks = 2'000'000'000;

constexpr const char* kFooter =
    "The stream goes to standard output, which must be a pipe or a file. The program ends when its reader leaves.\n"
    "On Linux SIGUSR1 asks a sweep for a sample at once, 10 ms after the last at least.\n"
    "Exit codes: 0 ended as asked, or the reader left; 1 nothing can be measured; 2 wrong usage; 3 cannot write.";

Result<std::uint32_t> parseNumber(std::string_view text, std::uint32_t least, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) return value;
  return fail("'" + std::string(text) + "' is not a number from " + std::to_string(least) + " to " +
              std::to_string(most) + ".");
}

// For CLI11: the error, or an empty text.
std::string checkInterval(const std::string& text) {
  const auto interval = parseDuration(text);
  if (!interval) return interval.error().message;
  if (*interval < 10ms || *interval > 60s) return "The interval must be between 10ms and 60s.";
  return {};
}
std::string checkSynthetic(const std::string& text) {
  const auto machine = parseSynthetic(text);
  return machine ? std::string() : machine.error().message;
}

}  // namespace

Result<SyntheticMachine> parseSynthetic(const std::string& text) {
  constexpr std::string_view kWindows = "windows";
  SyntheticMachine machine;
  std::string_view rest = text;
  machine.windows = rest == kWindows || rest.starts_with("windows,");
  if (machine.windows) rest.remove_prefix(std::min(rest.size(), kWindows.size() + 1));
  if (rest.empty()) return machine;
  const std::size_t comma = rest.find(',');
  const auto processes = parseNumber(rest.substr(0, comma), 1, kMostProcesses);
  if (!processes) return tl::unexpected(processes.error());
  machine.processes = *processes;
  if (comma == std::string_view::npos) return machine;
  const auto seed = parseNumber(rest.substr(comma + 1), 0, UINT32_MAX);
  if (!seed) return tl::unexpected(seed.error());
  machine.seed = *seed;
  return machine;
}

std::variant<CollectorCommand, int> parseCommandLine(int argc, const char* const* argv) {
  CollectorCommand command;
  std::string interval = "500ms";
  std::string synthetic;
  CLI::App app("Measures page faults for Faultline and writes them as a stream.", "faultline-collector");
  app.set_version_flag("--version", FAULTLINE_VERSION);
  app.footer(kFooter);
  app.allow_windows_style_options(false);  // on every system the same
  app.require_subcommand(1);
  CLI::App* const sweep = app.add_subcommand("sweep", "Measure all processes at regular intervals");
  sweep->add_option("--interval", interval, "Time between two samples, 10ms to 60s")
      ->capture_default_str()
      ->check(CLI::Validator(checkInterval, "DURATION"));
  sweep->add_option("--count", command.sweep.count, "End after this many samples")
      ->check(CLI::Range(1, kMostLooks, "POSITIVE"));
  CLI::Option* const machine =
      sweep
          ->add_option(
              "--synthetic", synthetic,
              "Report a synthetic machine with that many processes instead of this one; with 'windows', one that\n"
              "has the numbers of Windows")
          ->expected(0, 1)
          ->check(CLI::Validator(checkSynthetic, "[windows,]PROCESSES[,SEED]"));
  CLI::Option* const fast = sweep->add_flag("--fast", command.sweep.fast, "Do not wait between two samples");
  fast->needs(machine);
  sweep->add_flag("--faster", command.sweep.faster, "Sweep " + fasterWords())->excludes(fast);
  bool noFaultTime = false;
  bool noSampling = false;
  sweep->add_flag("--attended", command.attended,
                  "Read from standard input whether a user is looking: '+' yes, '-' no, end of input yes. While no\n"
                  "user is looking, omit the measurements that slow down the measured programs. Also whether a\n"
                  "game is watched: '>' yes, '<' no, end of input no");
  sweep->add_flag("--no-fault-time", noFaultTime,
                  "Never measure the time inside faults, which adds to each fault " + std::string(kTimingCost));
  sweep->add_flag("--no-sampling", noSampling, "Never sample the clearing of pages");
  std::string length = "1s";
  CLI::App* const threads =
      app.add_subcommand("threads", "Watch the threads in which Windows zeroes pages, and print what each of them did");
  threads
      ->add_option("--for", length,
                   "Time to watch them, 10ms to 60s. The line 'ready' says when it begins: give them work then")
      ->capture_default_str()
      ->check(CLI::Validator(checkInterval, "DURATION"));
  PipeStreams streams;
  for (CLI::App* const each : {sweep, threads}) {  // used by 'faultline-cli elevated'
    each->add_option("--streams", streams.name)->group("");
    each->add_option("--reader", streams.reader)->group("");
  }
  CLI::App* const watch = app.add_subcommand("watch", "Watch the frames of one game until it exits");
  watch->footer(kWatchHelp);
  watch->prefix_command();  // parseWatchArguments() reads the rest
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  command.sweep.interval = parseDuration(interval).value_or(500ms);
  command.sampler = {.faultTime = !noFaultTime, .sampling = !noSampling};
  if (!streams.name.empty()) command.streams = streams;
  if (*threads) command.threads = parseDuration(length).value_or(1s);
  if (*watch) {
    auto options = parseWatchArguments(watch->remaining());
    if (!options) {
      std::cerr << "faultline-collector: " << options.error().message << "\n";
      return kUsageError;
    }
    command.watch = std::move(*options);
  }
  if (*machine) command.synthetic = parseSynthetic(synthetic).value_or(SyntheticMachine{});
  return command;
}

}  // namespace faultline

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "app/cli/usage/tree.h"
#include "core/base/file_name.h"
#include "core/model/cost_words.h"
#include "platform/host/elevated.h"
#include "platform/host/programs.h"
#include "platform/host/signals.h"
#include "platform/host/standard_output.h"

namespace {

constexpr const char* kAbout =
    "Show page faults, committed and resident memory of every process, live or\nrecorded.\n"
    "Data goes to standard output, messages to standard error.";

constexpr const char* kFooter =
    "Examples:\n"
    "  faultline-cli top                                watch this machine\n"
    "  faultline-cli snapshot --format csv > now.csv    each process once, with rates\n"
    "  faultline-cli record -o build.faultline -- make  record while a program runs\n"
    "  faultline-cli export build.faultline | head      a recording as CSV\n"
    "  faultline-cli frames -- ./game                   frames late by page faults\n"
    "  faultline-cli join times.csv game.faultline      with PresentMon's frame times\n"
    "  faultline-cli lab all --quick                    what memory costs here\n"
    "  faultline-cli try -- ./game --benchmark          remedies, on a program\n"
    "  faultline-cli stat -r 10 -- ./program            what a program costs\n"
    "  faultline-cli guard -b base.json -- ./program    fail if it costs more\n"
    "  faultline-cli compare a.json b.json              results of stat or frames\n"
    "  faultline-cli serve                              numbers for Prometheus\n"
    "  faultline-cli query processes                    what costs most, in JSON\n"
    "  faultline-cli doctor                             what is measured here\n"
    "\n"
    "Exit codes:\n"
    "    0  success\n"
    "    1  failure; standard error has the reason\n"
    "    2  wrong usage\n"
    "    3  the recording is truncated or damaged; its readable part was processed\n"
    "    4  frames: memory took longer than --fail-over in a frame;\n"
    "       guard: a figure grew\n"
    "    5  frames, try --frames: no frame has ended\n"
    "    6  compare: a run is worse than the first\n"
    "    7  try: no remedy saves as much as --fail-under asks\n"
    "  127  record, frames, try, stat, guard: PROGRAM could not be started (record\n"
    "       and frames otherwise return PROGRAM's exit code)\n"
    "  130  interrupted before there was a result\n"
    "  141  the reader of standard output closed it (as in `| head`)\n"
    "\n"
    "'faultline-cli help COMMAND' lists the options of a command, and\n"
    "'man faultline-cli-COMMAND' shows its manual.";

std::string usage(const CLI::App* app, const CLI::Error& error) {
  const auto chosen = app->get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  std::string sentence = error.what();
  if (sentence.empty() || sentence.back() != '.') sentence += '.';
  const auto* unexpected = dynamic_cast<const CLI::ExtrasError*>(&error);
  if (unexpected != nullptr) sentence += faultline::suggestionFor(*app, app->remaining(true));
  return "faultline-cli: " + sentence + " See 'faultline-cli" + command + " --help'.\n";
}

// The checks that span several options.
void checkUsage(const faultline::Commands& commands) {
  if (!commands.run)
    throw CLI::RequiredError(
        "Name a command: top, snapshot, now, record, export, query, frames, join, lab, try, stat, guard, compare, "
        "serve, mcp or doctor",
        CLI::ExitCodes::RequiredError);
  if (!commands.program.empty() && !commands.takesProgram)
    throw CLI::ExtrasError(commands.app.get_subcommands().front()->get_name(), commands.program);
}

// Prints help, version or the usage error; returns the exit code.
int report(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream words;
  std::ostringstream complaint;
  const int code = app.exit(error, words, complaint);
  faultline::writeToStandardError(complaint.str());
  if (code != 0) return faultline::ExitCode::kUsage;
  faultline::StandardOutput out;
  const auto written = out.write(words.str());
  return written ? faultline::ExitCode::kOk : faultline::failedWrite(out, written.error());
}

// "help COMMAND" means "COMMAND --help".
void readHelp(std::vector<std::string>& words) {
  if (words.size() < 2 || words[1] != "help") return;
  words.erase(words.begin() + 1);
  words.emplace_back("--help");
}

// CLI11 parses arguments from the back, without argv[0].
std::vector<std::string> reversedArguments(std::vector<std::string> words) {
  if (!words.empty()) words.erase(words.begin());
  std::ranges::reverse(words);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  faultline::tolerateClosedStreams();
  faultline::settleSignals();
  faultline::Commands commands;
  CLI::App& app = commands.app;
  app.name("faultline-cli");
  app.description(kAbout);
  app.footer(kFooter);
  app.failure_message(usage);
  app.formatter(faultline::helpFormatter());
  app.set_help_flag("-h,--help", "Show this help");
  app.allow_windows_style_options(false);  // or "/tmp/file" would be an option
  app.fallthrough();                       // common options may follow the command
  app.set_version_flag("-V,--version", "faultline-cli " FAULTLINE_VERSION, "Show the version");
  app.add_flag("--synthetic", commands.common->synthetic, "Measure a synthetic machine instead of this one");
  app.add_flag_callback(
      "--synthetic-windows", [&commands] { commands.common->synthetic = commands.common->windows = true; },
      "The same, with the numbers of Windows");
  app.add_flag_callback(
      "--no-fault-time", [&commands] { commands.common->faultTime = false; },
      "Do not time page faults: timing makes each fault " + std::string(faultline::kTimingCost) + " longer");
  app.add_flag(
         "--elevate", commands.common->elevate,
         "Windows: give the collector alone an administrator's rights, for the cycles of the threads that zero pages")
      ->group(faultline::canElevate() ? "Options" : "");
  app.add_option_function<std::string>(
         "--collector",
         [&commands](const std::string& file) { commands.common->collector = faultline::pathFromUtf8(file); },
         "The faultline-collector to start (default: the granted copy, or the one beside this program)")
      ->type_name("FILE");
  app.require_subcommand(0, 1);  // checkUsage() reports a missing command
  addTop(commands);
  addSnapshot(commands);
  addRecord(commands);
  addExport(commands);
  addFrames(commands);
  addJoin(commands);
  addLab(commands);
  addCalibrate(commands);
  addTry(commands);
  addStat(commands);
  addGuard(commands);
  addCompare(app, commands);
  addServe(commands);
  addNow(commands);
  addSave(commands);
  addQuery(commands);
  addMcp(commands);
  addDoctor(commands);
  addElevated(commands);
  // CLI11 would split a program's argument "[a,b]".
  std::vector<std::string> words = faultline::programArguments(argc, argv);
  readHelp(words);
  if (words.size() == 3 && words[1] == "--write-usage") {  // used by the build
    const auto written = faultline::writeUsage(app, faultline::pathFromUtf8(words[2]));
    return written ? faultline::ExitCode::kOk : faultline::failed(written.error());
  }
  const auto dashes = std::ranges::find(words, "--");
  if (dashes != words.end()) commands.program.assign(dashes + 1, words.end());
  try {
    app.parse(reversedArguments({words.begin(), dashes}));
    checkUsage(commands);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  }
  return commands.run();
}

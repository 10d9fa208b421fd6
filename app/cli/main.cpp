#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/model/cost_words.h"
#include "platform/host/programs.h"
#include "platform/host/signals.h"
#include "platform/host/standard_output.h"

namespace {

constexpr const char* kAbout =
    "Faultline shows which process pays for memory: page faults, commit and resident memory, live.\n"
    "Data goes to standard output, everything else to standard error.";

constexpr const char* kFooter =
    "Examples:\n"
    "  faultline-cli top                                   watch this machine\n"
    "  faultline-cli snapshot --format csv > now.csv       every process, once, with rates\n"
    "  faultline-cli record -o build.faultline -- make     record while a program runs\n"
    "  faultline-cli export build.faultline | head         a recording as a table\n"
    "  faultline-cli frames -- ./game                      which frames page faults made late\n"
    "  faultline-cli join times.csv game.faultline         the same with frame times of PresentMon or MangoHud\n"
    "  faultline-cli doctor                                what can be measured here, and what cannot and why\n"
    "\n"
    "Exit codes:\n"
    "    0  done\n"
    "    1  failed; a sentence on standard error says why\n"
    "    2  wrong usage\n"
    "    3  the recording was cut or damaged; what could be read was exported or joined\n"
    "    4  frames: page faults took longer in a frame than --fail-over allows\n"
    "  127  record, frames: PROGRAM could not be started (else they end with PROGRAM's own exit code)\n"
    "  130  interrupted before there was a result\n"
    "  141  the reader of our output is gone (as in `| head`)\n"
    "\n"
    "'faultline-cli COMMAND --help' tells more about each command.";

std::string usage(const CLI::App* app, const CLI::Error& error) {
  const auto chosen = app->get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  std::string sentence = error.what();
  if (sentence.empty() || sentence.back() != '.') sentence += '.';
  return "faultline-cli: " + sentence + " See 'faultline-cli" + command + " --help'.\n";
}

// What no single option can know.
void checkWords(const faultline::Commands& commands) {
  if (!commands.run)
    throw CLI::RequiredError("Name a command: top, snapshot, record, export, frames, join or doctor",
                             CLI::ExitCodes::RequiredError);
  if (!commands.program.empty() && !commands.takesProgram)
    throw CLI::ExtrasError(commands.app.get_subcommands().front()->get_name(), commands.program);
}

int told(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream words;
  std::ostringstream complaint;
  const int code = app.exit(error, words, complaint);
  faultline::writeToStandardError(complaint.str());
  if (code != 0) return faultline::ExitCode::kUsage;
  faultline::StandardOutput out;
  const auto written = out.write(words.str());
  return written ? faultline::ExitCode::kOk : faultline::failedWrite(out, written.error());
}

// All but the program's own name, as CLI11 wants them.
std::vector<std::string> lastFirst(std::vector<std::string> words) {
  if (!words.empty()) words.erase(words.begin());
  std::ranges::reverse(words);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  faultline::surviveClosedStreams();
  faultline::Commands commands;
  CLI::App& app = commands.app;
  app.name("faultline-cli");
  app.description(kAbout);
  app.footer(kFooter);
  app.failure_message(usage);
  app.allow_windows_style_options(false);  // "/tmp/file" is one, wherever this runs
  app.fallthrough();                       // what stands before the command may stand behind it, too
  app.set_version_flag("--version", "faultline-cli " FAULTLINE_VERSION);
  app.add_flag("--demo", commands.common->demo, "Measure an invented machine, to try things out");
  app.add_flag_callback(
      "--no-fault-time", [&commands] { commands.common->faultTime = false; },
      "Do not time page faults: that makes each of them " + std::string(faultline::kTimingCost) +
          " longer while it is done");
  app.add_option_function<std::string>(
         "--collector",
         [&commands](const std::string& file) { commands.common->collector = faultline::fileNamed(file); },
         "The faultline-collector to start (default: the granted copy, or the one beside this program)")
      ->type_name("FILE");
  app.require_subcommand(0, 1);  // of none, and of another word in its place, we say more ourselves
  addTop(commands);
  addSnapshot(commands);
  addRecord(commands);
  addExport(commands);
  addFrames(commands);
  addJoin(commands);
  addDoctor(commands);
  // CLI11 would take a program's argument "[a,b]" apart.
  std::vector<std::string> words = faultline::programArguments(argc, argv);
  const auto dashes = std::ranges::find(words, "--");
  if (dashes != words.end()) commands.program.assign(dashes + 1, words.end());
  try {
    app.parse(lastFirst({words.begin(), dashes}));
    checkWords(commands);
  } catch (const CLI::ParseError& error) {
    return told(app, error);
  }
  return commands.run();
}

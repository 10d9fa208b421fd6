#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "platform/desktop/signals.h"

namespace {

constexpr const char* kAbout =
    "Faultline shows which process pays for memory: page faults, commit and resident memory, live.\n"
    "Data goes to standard output, everything else to standard error.";

constexpr const char* kFooter =
    "Examples:\n"
    "  faultline-cli top                                   watch this machine\n"
    "  faultline-cli snapshot --format csv > now.csv       every process, once, with rates\n"
    "  faultline-cli record -o build.faultline -- make    record while a program runs\n"
    "  faultline-cli export build.faultline | head        a recording as a table\n"
    "  faultline-cli frames -- ./game                      which frames page faults made late\n"
    "  faultline-cli join times.csv game.faultline         the same with frame times of PresentMon or MangoHud\n"
    "  faultline-cli doctor                                what can be measured here, and what cannot and why\n"
    "\n"
    "Exit codes:\n"
    "    0  done\n"
    "    1  failed; a sentence on standard error says why\n"
    "    2  wrong usage\n"
    "    3  the recording was cut or damaged; what could be read was exported\n"
    "    4  frames: page faults took longer in a frame than --fail-over allows\n"
    "  127  record, frames: PROGRAM could not be started (else they end with PROGRAM's own exit code)\n"
    "  130  interrupted before there was a result\n"
    "  141  the reader of our output is gone (as in `| head`)\n"
    "\n"
    "'faultline-cli COMMAND --help' tells more about each command.";

}  // namespace

int main(int argc, char** argv) {
  faultline::surviveClosedPipes();
  faultline::Commands commands;
  CLI::App& app = commands.app;
  app.name("faultline-cli");
  app.description(kAbout);
  app.footer(kFooter);
  app.set_version_flag("--version", "faultline-cli " FAULTLINE_VERSION);
  app.add_flag("--demo", commands.common->demo, "Measure an invented machine, to try things out");
  app.add_flag_callback(
      "--no-fault-time", [&commands] { commands.common->faultTime = false; },
      "Do not time page faults: that makes each of them about 15 % longer while it is done");
  app.add_option("--collector", commands.common->collector,
                 "The faultline-collector to start (default: the granted copy, or the one beside this program)")
      ->type_name("FILE");
  app.require_subcommand(1);
  addTop(commands);
  addSnapshot(commands);
  addRecord(commands);
  addExport(commands);
  addFrames(commands);
  addJoin(commands);
  addDoctor(commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? faultline::ExitCode::kOk : faultline::ExitCode::kUsage;
  }
  return commands.run();
}

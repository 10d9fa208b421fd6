// faultline-cli elevated: a collector with an administrator's rights on Windows, for the other commands and the window.
#include "platform/host/elevated.h"

#include "app/cli/commands/command.h"
#include "app/cli/text/say.h"
#include "platform/host/programs.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

constexpr std::string_view kSweep = "sweep";

constexpr const char* kElevatedFooter =
    "Starts faultline-collector with the ARGUMENTS after --, and passes its stream to standard output. Windows asks "
    "for\n"
    "permission; the collector alone gets an administrator's rights, and drops them before it measures. --elevate "
    "does\n"
    "this for other commands.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli --elevate top\n"
    "  faultline-cli elevated --by-hand -- sweep > zeroing.faultline";

int runElevatedCollector(const CommonOptions& common, const std::vector<std::string>& arguments, bool byHand) {
  if (arguments.front() == kSweep && isTerminal(StandardStream::Output))
    return failed({"Standard output is a terminal, and the stream is binary. Redirect it to a file or a pipe."});
  const auto collector =
      common.collector.empty() ? findCollector(executableFolder()) : Result<std::filesystem::path>(common.collector);
  if (!collector) return failed(collector.error());
  const auto code = runElevated(
      {.collector = *collector, .arguments = arguments, .byHand = byHand, .tell = [](std::string_view line) {
         say(line);
       }});
  return code ? *code : failed(code.error());
}

}  // namespace

void addElevated(Commands& commands) {
  auto byHand = std::make_shared<bool>(false);
  CLI::App* app = commands.app.add_subcommand(
      "elevated", "Windows: start a collector with an administrator's rights, and pass its stream on");
  if (!canElevate()) app->group("");  // not shown
  app->footer(kElevatedFooter);
  app->add_flag("--by-hand", *byHand, "Print the command for an administrator's terminal in place of the prompt");
  app->callback([&commands, byHand] {
    const std::vector<std::string> arguments = commands.program;
    commands.takesProgram = true;
    // Another command of the collector could be told to start a program.
    if (arguments.empty() || (arguments.front() != kSweep && arguments.front() != "threads"))
      throw CLI::ValidationError("Write the collector's arguments after --, which begin with sweep or threads");
    commands.run = [&commands, arguments, byHand] {
      return runElevatedCollector(*commands.common, arguments, *byHand);
    };
  });
}

}  // namespace faultline

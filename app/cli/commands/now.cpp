// faultline-cli now: ask the tray app or `serve` for the present numbers of a process, which is done in milliseconds.
#include "app/cli/commands/command.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "platform/host/answers.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

constexpr const char* kNowFooter =
    "Asks a Faultline of this user that measures already: the tray app, else 'faultline-cli serve'. It answers at\n"
    "once with the numbers of its last sample, for a prompt, a script, or MangoHud's line exec=. --format json has\n"
    "two lines, as those of 'snapshot --format json', with this process alone.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli now -p 4711\n"
    "  faultline-cli now -p 4711 --format json";

int runNow(std::uint32_t pid, bool json) {
  const auto answer = askRunning(std::to_string(pid) + (json ? " json" : ""));
  if (!answer) return failed(answer.error());
  StandardOutput out;
  const auto written = out.write(*answer);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

}  // namespace

void addNow(Commands& commands) {
  struct Now {
    std::uint32_t pid = 0;
    std::string format = "text";
  };
  auto options = std::make_shared<Now>();
  CLI::App* app = commands.app.add_subcommand("now", "Ask the Faultline that runs about a process");
  app->footer(kNowFooter);
  app->add_option("-p,--pid", options->pid, "The process")->check(CLI::Range(1U, 1U << 30U))->type_name("PID");
  app->add_option("--format", options->format, "text or json (default text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app->callback([&commands, options] {
    if (options->pid == 0) throw CLI::ValidationError("now requires a process: -p PID.");
    commands.run = [options] { return runNow(options->pid, options->format == "json"); };
  });
}

}  // namespace faultline

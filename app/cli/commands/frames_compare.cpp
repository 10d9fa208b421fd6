#include "app/cli/commands/frames_compare.h"

#include <fstream>
#include <iterator>

#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/compare/frame_runs.h"

namespace faultline {
namespace {

constexpr const char* kCompareFooter =
    "BEFORE and AFTER are files of 'faultline-cli frames --csv', also of a run that was cut short. The report tells\n"
    "the share of frames late because of page faults in each, how certain their difference is, how the page faults of "
    "a\n"
    "frame, their measured time and the memory cleared have changed, with intervals, the frames that the second run\n"
    "saved, by number, and which culprits grew or shrank, each with the confidence that it did. Of late frames and\n"
    "culprits, the confidence assumes that frames are independent.\n"
    "\n"
    "The exit code is 6 if AFTER is worse, else 0: more frames are late, with a confidence of 95 % or more; or a "
    "frame\n"
    "costs more by 1 % or more, with a confidence of 99 % for all costs together.";

Result<FrameRun> read(const std::string& name) {
  std::ifstream file(pathFromUtf8(name), std::ios::binary);
  if (!file) return fail(name + " cannot be opened.");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto run = readFrameRun(text);
  if (!run) return fail(name + " " + run.error().message);
  return run;
}

int runCompare(const std::string& before, const std::string& after, bool json) {
  const auto first = read(before);
  if (!first) return failed(first.error());
  const auto second = read(after);
  if (!second) return failed(second.error());
  const RunComparison compared = compareRuns(*first, *second);
  std::string text;
  if (json) text = comparisonJson(*first, *second);
  else
    for (const std::string& line : compared.lines) text += line + "\n";
  StandardOutput out;
  if (const auto written = out.write(text); !written) return failedWrite(out, written.error());
  return compared.worse ? ExitCode::kWorse : ExitCode::kOk;
}

}  // namespace

CLI::App* addFramesCompare(CLI::App& frames, Commands& commands) {
  struct Files {
    std::string before;
    std::string after;
    std::string format = "text";
  };
  auto files = std::make_shared<Files>();
  CLI::App* app = frames.add_subcommand("compare", "Compare the frames of two runs");
  app->footer(kCompareFooter);
  app->add_option("BEFORE", files->before, "The first run's CSV")->required();
  app->add_option("AFTER", files->after, "The second run's CSV")->required();
  app->add_option("-f,--format", files->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app->callback([&commands, files] {
    commands.run = [files] { return runCompare(files->before, files->after, files->format == "json"); };
  });
  return app;
}

}  // namespace faultline

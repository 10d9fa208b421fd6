// faultline-cli compare: two results of `stat`, or the frames of two runs. `frames compare` is another name of it.
#include "core/stat/compare.h"

#include <fstream>
#include <iterator>

#include "app/cli/commands/command.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/compare/frame_runs.h"
#include "core/stat/text.h"

namespace faultline {
namespace {

constexpr const char* kCompareFooter =
    "BEFORE and AFTER are files of 'faultline-cli frames --csv', also of a run that was cut short, or of\n"
    "'faultline-cli stat --format json'.\n"
    "\n"
    "Of frames, the report tells the share of frames late because of page faults in each, how certain their "
    "difference\n"
    "is, how the page faults of a frame, their time and its parts, and the memory cleared and given back have "
    "changed,\n"
    "with intervals, the frames that the second run saved, by number, and which culprits grew or shrank, each with "
    "the\n"
    "confidence that it did. Of late frames and culprits, the confidence assumes that frames are independent.\n"
    "\n"
    "Programs are judged as 'faultline-cli guard' judges them, with BEFORE as the baseline: a count has grown if the\n"
    "medians differ by more than 0.5 % and by more than the runs themselves do. Programs of several are told apart by\n"
    "their names.\n"
    "\n"
    "The exit code is 6 if AFTER is worse, else 0: more frames are late, with a confidence of 95 % or more; a frame\n"
    "costs more by 1 % or more, parts of costs left out, with a confidence of 99 % for all together; or a program "
    "costs more.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli compare before.csv after.csv\n"
    "  faultline-cli compare base.json now.json";

constexpr double kAllowed = 0.005;  // as guard allows

struct CompareFiles {
  std::string before;
  std::string after;
  bool times = false;
  std::string format = "text";
};

struct Compared {
  std::string report;
  bool worse = false;
};

Result<std::string> read(const std::string& name) {
  std::ifstream file(pathFromUtf8(name), std::ios::binary);
  if (!file) return fail(name + " cannot be opened.");
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

// A result of stat is a document of JSON, and the frames of a run are lines.
bool isStat(const std::string& text) {
  return text.starts_with('{');
}

Result<Compared> comparePrograms(const CompareFiles& files, const std::string& before, const std::string& after) {
  const auto parsed = [](const std::string& name, const std::string& text) -> Result<StatReport> {
    auto report = parseStat(text);
    if (!report) return fail(name + " " + report.error().message);
    return report;
  };
  const auto first = parsed(files.before, before);
  if (!first) return tl::unexpected(first.error());
  const auto second = parsed(files.after, after);
  if (!second) return tl::unexpected(second.error());
  const auto compared = compareStats(*first, *second, kAllowed, files.times);
  if (!compared) return tl::unexpected(compared.error());
  return Compared{files.format == "json" ? comparedJson(*compared) : comparedText(*compared), compared->worse()};
}

Result<Compared> compareFrames(const CompareFiles& files, const std::string& before, const std::string& after) {
  if (files.times) return fail("--times is for results of 'faultline-cli stat'; times of frames are always compared.");
  const auto first = readFrameRun(before);
  if (!first) return fail(files.before + " " + first.error().message);
  const auto second = readFrameRun(after);
  if (!second) return fail(files.after + " " + second.error().message);
  const RunComparison compared = compareRuns(*first, *second);
  if (files.format == "json") return Compared{comparisonJson(*first, *second), compared.worse};
  std::string text;
  for (const std::string& line : compared.lines) text += line + "\n";
  return Compared{text, compared.worse};
}

int runCompare(const CompareFiles& files) {
  const auto before = read(files.before);
  if (!before) return failed(before.error());
  const auto after = read(files.after);
  if (!after) return failed(after.error());
  const auto compared = (isStat(*before) || isStat(*after) ? comparePrograms : compareFrames)(files, *before, *after);
  if (!compared) return failed(compared.error());
  StandardOutput out;
  if (const auto written = out.write(compared->report); !written) return failedWrite(out, written.error());
  return compared->worse ? ExitCode::kWorse : ExitCode::kOk;
}

}  // namespace

CLI::App* addCompare(CLI::App& parent, Commands& commands) {
  auto files = std::make_shared<CompareFiles>();
  CLI::App* app = parent.add_subcommand("compare", "Compare the costs of two runs: of frames, or of programs");
  app->footer(kCompareFooter);
  app->add_option("BEFORE", files->before, "The first run's file")->required();
  app->add_option("AFTER", files->after, "The second run's file")->required();
  app->add_flag("--times", files->times, "Judge wall and CPU time of programs, too, on the same machine");
  app->add_option("-f,--format", files->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app->callback([&commands, files] { commands.run = [files] { return runCompare(*files); }; });
  return app;
}

}  // namespace faultline

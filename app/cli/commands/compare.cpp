// faultline-cli compare: two or more of whatever Faultline writes. `frames compare` is another name of it.
#include "core/stat/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/commands/command.h"
#include "app/cli/commands/stat_runs.h"
#include "app/cli/frames/compared_files.h"
#include "app/cli/text/say.h"
#include "core/compare/columns.h"
#include "core/compare/frame_runs.h"
#include "core/compare/sweeps.h"
#include "core/frames/judge.h"
#include "core/lab/view/comparison.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kCompareFooter =
    "BEFORE and each AFTER are of one kind: files of 'faultline-cli frames --csv', also\n"
    "of a run that was cut short, or of 'frames --record'; of 'stat --format json';\n"
    "of 'record'; or of 'lab --format json'.\n"
    "\n"
    "Of frames, the report tells the share of frames late because of page faults in\n"
    "each, how certain their difference is, how the page faults of a frame, their\n"
    "time and its parts, and the memory cleared and given back have changed, with\n"
    "intervals, the frames that the second run saved, by number, and which culprits\n"
    "grew or shrank, each with the confidence that it did. Of late frames and\n"
    "culprits, the confidence assumes that frames are independent. --budget judges\n"
    "the frames of recordings; those of CSV files have been judged.\n"
    "\n"
    "Programs are judged as 'faultline-cli guard' judges them, with BEFORE as the\n"
    "baseline: a count has grown if the medians differ by more than 0.5 % and by more\n"
    "than the runs themselves do. Programs of several are told apart by their names.\n"
    "With 'stat --stacks' in both, the lines that grew are told.\n"
    "\n"
    "Of recordings of processes, the report tells the sums of all, and which\n"
    "processes, by name, fault more; of the lab, the times of both. Neither is\n"
    "judged, as one recording each does not tell how far equal ones lie apart.\n"
    "\n"
    "Several files AFTER are a column each, with its change from BEFORE and the\n"
    "verdict; text has the report of each pair below. Each file is judged by itself:\n"
    "of many equal ones, some differ by chance.\n"
    "\n"
    "The exit code is 6 if an AFTER is worse, else 0: more frames are late, with a\n"
    "confidence of 95 % or more; a frame costs more by 1 % or more, parts of costs\n"
    "left out, with a confidence of 99 % for all together; or a program costs more.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli compare before.csv after.csv\n"
    "  faultline-cli compare base.json now.json\n"
    "  faultline-cli compare -f markdown base.json now.json later.json\n"
    "  faultline-cli compare monday.faultline tuesday.faultline";

constexpr double kAllowed = 0.005;  // as guard allows

struct CompareFiles {
  std::string before;
  std::vector<std::string> after;
  bool times = false;
  Nanoseconds budget = kDefaultBudget;
  std::string format = "text";
};

Result<ComparedResult> comparePrograms(const StatReport& before, const StatReport& after, bool times) {
  const auto compared = compareStats(before, after, kAllowed, times);
  if (!compared) return tl::unexpected(compared.error());
  return ComparedResult{.numbers = comparedNumbers(*compared),
                        .text = comparedText(*compared),
                        .json = comparedJson(*compared),
                        .worse = compared->worse()};
}

Result<ComparedResult> compareFrames(const std::string& base, const FramesCsv& before, const std::string& file,
                                     const FramesCsv& after) {
  const auto first = readFrameRun(before.text);
  if (!first) return fail(base + " " + first.error().message);
  const auto second = readFrameRun(after.text);
  if (!second) return fail(file + " " + second.error().message);
  const RunComparison compared = compareRuns(*first, *second);
  ComparedResult result{
      .numbers = comparedNumbers(compared), .json = comparisonJson(*first, *second), .worse = compared.worse};
  for (const std::string& line : compared.lines) result.text += line + "\n";
  return result;
}

template <class Value>
ComparedResult notJudged(const Value& before, const Value& after, auto* text, auto* json) {
  return {.numbers = comparedNumbers(before, after), .text = text(before, after), .json = json(before, after)};
}

Result<ComparedResult> compareWith(const CompareFiles& files, const ComparedFile& before, const std::string& file) {
  const auto after = readCompared(file, files.budget);
  if (!after) return tl::unexpected(after.error());
  if (before.index() != after->index())
    return fail(fmt::format("{} holds {}, and {} holds {}. Compare files of one kind.", files.before, kindOf(before),
                            file, kindOf(*after)));
  const auto* const programs = std::get_if<StatReport>(&before);
  if (files.times && programs == nullptr) return fail("--times is for results of 'faultline-cli stat'.");
  if (const auto* const frames = std::get_if<FramesCsv>(&before))
    return compareFrames(files.before, *frames, file, std::get<FramesCsv>(*after));
  if (files.budget != kDefaultBudget) return fail("--budget is for the frames of a game.");
  if (programs != nullptr) return comparePrograms(*programs, std::get<StatReport>(*after), files.times);
  if (const auto* const sweeps = std::get_if<SweepTotals>(&before))
    return notJudged(*sweeps, std::get<SweepTotals>(*after), sweepsText, sweepsJson);
  return notJudged(std::get<std::vector<LabReport>>(before), std::get<std::vector<LabReport>>(*after), comparedLabText,
                   comparedLabJson);
}

Result<std::vector<ComparedResult>> compareFiles(const CompareFiles& files) {
  const auto before = readCompared(files.before, files.budget);
  if (!before) return tl::unexpected(before.error());
  std::vector<ComparedResult> results;
  for (const std::string& file : files.after) {
    auto result = compareWith(files, *before, file);
    if (!result) return tl::unexpected(result.error());
    result->file = file;
    results.push_back(std::move(*result));
  }
  return results;
}

int runCompare(const CompareFiles& files) {
  const auto results = compareFiles(files);
  if (!results) return failed(results.error());
  const auto* const format = std::ranges::find(kCompareFormats, files.format, &CompareFormat::name);
  if (const int code = writeReport("", format->write(files.before, *results)); code != ExitCode::kOk) return code;
  return std::ranges::any_of(*results, &ComparedResult::worse) ? ExitCode::kWorse : ExitCode::kOk;
}

}  // namespace

CLI::App* addCompare(CLI::App& parent, Commands& commands) {
  auto files = std::make_shared<CompareFiles>();
  CLI::App* app = parent.add_subcommand("compare", "Compare results: of stat, frames, recordings, or the lab");
  app->footer(kCompareFooter);
  app->add_option("BEFORE", files->before, "The first run's file")->required();
  app->add_option("AFTER", files->after, "The file of another run; several become columns")->required();
  app->add_flag("--times", files->times, "Judge wall and CPU time of programs, too, on the same machine");
  addDuration(*app, "--budget", files->budget, 100us, 10s,
              "The longest frame in time, of recordings of frames (default: the game's own cadence, or 16.7ms)");
  addFormat(*app, kCompareFormats, files->format);
  app->callback([&commands, files] { commands.run = [files] { return runCompare(*files); }; });
  return app;
}

}  // namespace faultline

// faultline-cli compare: two of whatever Faultline writes. `frames compare` is another name of it.
#include "core/stat/compare.h"

#include <fmt/format.h>

#include "app/cli/commands/command.h"
#include "app/cli/frames/compared_files.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/compare/frame_runs.h"
#include "core/compare/sweeps.h"
#include "core/lab/view/comparison.h"

namespace faultline {
namespace {

constexpr const char* kCompareFooter =
    "BEFORE and AFTER are two of a kind: files of 'faultline-cli frames --csv', also of a run that was cut short, or "
    "of\n"
    "'frames --record'; of 'stat --format json'; of 'record'; or of 'lab --format json'.\n"
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
    "their names. With 'stat --stacks' in both, the lines that grew are told.\n"
    "\n"
    "Of recordings of processes, the report tells the sums of all, and which processes, by name, fault more; of the\n"
    "lab, the times of both. Neither is judged, as one recording each does not tell how far equal ones lie apart.\n"
    "\n"
    "The exit code is 6 if AFTER is worse, else 0: more frames are late, with a confidence of 95 % or more; a frame\n"
    "costs more by 1 % or more, parts of costs left out, with a confidence of 99 % for all together; or a program "
    "costs more.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli compare before.csv after.csv\n"
    "  faultline-cli compare base.json now.json\n"
    "  faultline-cli compare monday.faultline tuesday.faultline";

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

Result<Compared> comparePrograms(const CompareFiles& files, const StatReport& before, const StatReport& after) {
  const auto compared = compareStats(before, after, kAllowed, files.times);
  if (!compared) return tl::unexpected(compared.error());
  return Compared{files.format == "json" ? comparedJson(*compared) : comparedText(*compared), compared->worse()};
}

Result<Compared> compareFrames(const CompareFiles& files, const std::string& before, const std::string& after) {
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

Result<Compared> compareFiles(const CompareFiles& files) {
  const auto before = readCompared(files.before);
  if (!before) return tl::unexpected(before.error());
  const auto after = readCompared(files.after);
  if (!after) return tl::unexpected(after.error());
  if (before->index() != after->index())
    return fail(fmt::format("{} holds {}, and {} holds {}. Compare two of a kind.", files.before, kindOf(*before),
                            files.after, kindOf(*after)));
  const auto* const programs = std::get_if<StatReport>(&*before);
  if (programs != nullptr) return comparePrograms(files, *programs, std::get<StatReport>(*after));
  if (files.times) return fail("--times is for results of 'faultline-cli stat'.");
  if (const auto* const frames = std::get_if<FramesCsv>(&*before))
    return compareFrames(files, frames->text, std::get<FramesCsv>(*after).text);
  const bool json = files.format == "json";
  if (const auto* const sweeps = std::get_if<SweepTotals>(&*before))
    return Compared{(json ? sweepsJson : sweepsText)(*sweeps, std::get<SweepTotals>(*after))};
  const auto& lab = std::get<std::vector<LabReport>>(*before);
  return Compared{(json ? comparedLabJson : comparedLabText)(lab, std::get<std::vector<LabReport>>(*after))};
}

int runCompare(const CompareFiles& files) {
  const auto compared = compareFiles(files);
  if (!compared) return failed(compared.error());
  StandardOutput out;
  if (const auto written = out.write(compared->report); !written) return failedWrite(out, written.error());
  return compared->worse ? ExitCode::kWorse : ExitCode::kOk;
}

}  // namespace

CLI::App* addCompare(CLI::App& parent, Commands& commands) {
  auto files = std::make_shared<CompareFiles>();
  CLI::App* app = parent.add_subcommand("compare", "Compare two results: of stat, frames, recordings, or the lab");
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

// faultline-cli lab: measure what memory costs on this machine.
#include <algorithm>

#include "app/cli/commands/command.h"
#include "app/cli/commands/doctor_threads.h"
#include "app/cli/lab/child.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/runner.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/lab/view/text.h"
#include "platform/host/lab/isolation.h"

namespace faultline {
namespace {

constexpr const char* kZeroStimulus = "zero-stimulus";

struct LabOptions {
  std::vector<std::string> names;
  bool quick = false;
  std::string format = "table";
  bool lanes = false;
  std::string trace;           // a file; empty: none
  std::string malloc;          // of this process of an experiment; empty: the system's
  bool traced = false;         // this process of an experiment is traced
  std::uint32_t parent = 0;    // not 0: this is the process of an experiment
  std::uint32_t endsWith = 0;  // not 0: ends when this process, its parent, ends
};

std::string labFooter() {
  std::string text = "Experiments:\n";
  for (const LabExperiment& experiment : labExperiments())
    text += "  " + std::string(experiment.name) + std::string(12 - experiment.name.size(), ' ') +
            std::string(experiment.title) + "\n";
  return text +
         "  zero-stimulus  Windows: which threads zero pages; prints the same as 'doctor --zeroing-threads', alone\n"
         "\n"
         "Each experiment runs in a process of its own, whose end undoes its settings and frees its memory. The "
         "process\n"
         "measures the ways to do the same work in turn. The table shows medians, with half the distance of the\n"
         "quartiles. \"disturbed\" is the number of repetitions with an involuntary context switch or a changed\n"
         "frequency, and the median without them. \"cpu\" is the CPU time of the thread, or of the process where\n"
         "threads work together. Below each table are claims that any machine must meet.\n"
         "\n"
         "Examples:\n"
         "  faultline-cli lab all --quick\n"
         "  faultline-cli lab eager --format markdown > eager.md\n"
         "  faultline-cli lab pool --quick --perfetto pool.pftrace";
}

std::vector<const LabExperiment*> chosen(const LabOptions& options) {
  std::vector<const LabExperiment*> experiments;
  const bool all = std::ranges::find(options.names, "all") != options.names.end();
  for (const LabExperiment& experiment : labExperiments())
    if (all || std::ranges::find(options.names, experiment.name) != options.names.end())
      experiments.push_back(&experiment);
  return experiments;
}

int runLab(const CommonOptions& common, const LabOptions& options) {
  if (options.parent != 0)
    return runLabChild(options.names.front(), {.quick = options.quick, .malloc = options.malloc}, options.traced,
                       options.parent);
  if (options.endsWith != 0) endWithParent(options.endsWith);
  if (options.names.front() == kZeroStimulus) return runThreadCheck(common);
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  std::vector<LabReport> reports;
  int code = ExitCode::kOk;
  for (const LabExperiment* experiment : chosen(options)) {
    auto end = runExperiment(*experiment, options.quick, common, *signals, options.lanes || !options.trace.empty(),
                             options.trace);
    if (!end) {
      code = failed(end.error());
      continue;
    }
    if (end->interrupted) return ExitCode::kInterrupted;
    reports.push_back(std::move(end->report));
  }
  if (reports.empty()) return code;
  const auto format = std::ranges::find(kLabFormats, options.format, &LabFormat::name);
  StandardOutput out;
  const auto written = out.write(format->write(reports));
  return written ? code : failedWrite(out, written.error());
}

}  // namespace

void addLab(Commands& commands) {
  auto options = std::make_shared<LabOptions>();
  CLI::App* app = commands.app.add_subcommand("lab", "Measure what memory costs on this machine");
  app->footer(labFooter());
  std::vector<std::string> names{"all"};
  for (const LabExperiment& experiment : labExperiments()) names.emplace_back(experiment.name);
  names.emplace_back(kZeroStimulus);
  std::vector<std::string> known = names;
  known.emplace_back(kCalibrationExperiment.name);  // started by 'calibrate'
  known.emplace_back(kFreedExperiment.name);        // started by 'cost'
  app->add_option("NAME", options->names, "Experiments to run, or all")
      ->required()
      ->check(CLI::IsMember(known).description(CLI::detail::generate_set(names)))
      ->type_name("");
  app->add_flag("--quick", options->quick, "Fewer repetitions and smaller sizes");
  std::vector<std::string> formats;
  for (const LabFormat& format : kLabFormats) formats.emplace_back(format.name);
  app->add_option("-f,--format", options->format, "table (default), csv, json or markdown")
      ->check(CLI::IsMember(formats))
      ->type_name("FORMAT");
  app->add_flag("--lanes", options->lanes,
                "Run each way once, and keep a time line of each thread's faults in the JSON");
  app->add_option("--perfetto", options->trace, "The same, and write all page faults as a Perfetto trace")
      ->type_name("FILE");
  app->add_option("--trace", options->trace)->group("");         // the former name of --perfetto
  app->add_option("--malloc", options->malloc)->group("");       // used by the command itself
  app->add_flag("--traced", options->traced)->group("");         // used by the command itself
  app->add_option("--child-of", options->parent)->group("");     // used by the command itself
  app->add_option("--ends-with", options->endsWith)->group("");  // used by the window
  app->callback([&commands, options] {
    const bool ofTheCommand = std::ranges::any_of(options->names, [](const std::string& name) {
      return name == kCalibrationExperiment.name || name == kFreedExperiment.name;
    });
    if (ofTheCommand && options->parent == 0 && options->endsWith == 0)
      throw CLI::ValidationError("Faultline runs calibration and freed itself, for 'calibrate' and 'lab cost'.");
    const bool stimulus = std::ranges::find(options->names, kZeroStimulus) != options->names.end();
    if (stimulus && (options->names.size() != 1 || options->format != "table"))
      throw CLI::ValidationError("zero-stimulus has a text of its own: name no other experiment, and no format.");
    if (!options->trace.empty() && (options->names.size() != 1 || options->names.front() == "all"))
      throw CLI::ValidationError("--perfetto needs the name of one experiment, such as pool.");
    commands.run = [&commands, options] { return runLab(*commands.common, *options); };
  });
}

}  // namespace faultline

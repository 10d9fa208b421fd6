// faultline-cli calibrate: measure and keep the prices by which counts are turned into time.
#include "core/lab/calibrate.h"

#include <chrono>

#include "app/cli/commands/command.h"
#include "app/cli/lab/runner.h"
#include "app/cli/stream/collector.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "platform/host/costs/calibration_file.h"
#include "platform/host/costs/conditions.h"
#include "platform/host/lab/isolation.h"

namespace faultline {
namespace {

constexpr int kTries = 3;

struct CalibrateOptions {
  bool show = false;
  std::uint32_t endsWith = 0;  // not 0: ends when this process, its parent, ends
};

int tell(const std::string& text) {
  StandardOutput out;
  const auto written = out.write(text);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

int show(const CommonOptions& common) {
  auto stream = CollectorStream::start(common, {.interval = std::chrono::milliseconds(50), .sampling = false});
  if (!stream) return failed(stream.error());
  for (;;) {
    const auto event = stream->waitForEvent();
    if (!event) return failed(event.error());
    const auto* const hello = std::get_if<Hello>(&*event);
    if (hello == nullptr) continue;
    const auto kept = keptCalibration(hello->machine);
    if (!kept) return failed(Error{"There is no calibration of this machine yet."});
    std::string text = calibrationText(kept->calibration) + "\n";
    for (const std::string& change : kept->changes) text += "The calibration is old: " + change + ".\n";
    return tell(text);
  }
}

int runCalibrate(const CommonOptions& common, const CalibrateOptions& options) {
  if (options.show) return show(common);
  if (options.endsWith != 0) endWithParent(options.endsWith);
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  Result<Calibration> calibration;
  std::optional<Machine> machine;
  for (int i = 0; i < kTries && (i == 0 || !calibration); ++i) {
    auto end = runExperiment(kCalibrationExperiment, true, common, *signals);
    if (!end) return failed(end.error());
    if (end->interrupted) return ExitCode::kInterrupted;
    calibration = calibrationOf(end->report);
    machine = end->machine;
    if (!machine) return failed(Error{"The machine is unknown. " + end->report.notSeen});
  }
  if (!calibration) return failed(calibration.error());
  calibration->when = WallTime{std::chrono::system_clock::now().time_since_epoch()};
  calibration->version = FAULTLINE_VERSION;
  calibration->place = placeOf(*machine, costSettings());
  calibration->load = machineLoad();
  if (const auto saved = saveCalibration(calibrationFile(), *calibration); !saved) return failed(saved.error());
  return tell(calibrationText(*calibration) + "\n");
}

}  // namespace

void addCalibrate(Commands& commands) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* app = commands.app.add_subcommand("calibrate", "Measure what a page fault costs here, and keep it");
  app->footer(
      "Takes less than two seconds. Where the time in page faults is not measured, top, snapshot, record and\n"
      "the window estimate it from counts by these prices, and mark it with ≈. The prices are kept for this user and\n"
      "machine, with date, system, processor, settings, spread and load. A machine that is too busy is refused.");
  app->add_flag("--show", options->show, "Show the kept calibration, and why it is old");
  app->add_option("--ends-with", options->endsWith)->group("");  // used by the window
  app->callback([&commands, options] {
    commands.run = [&commands, options] { return runCalibrate(*commands.common, *options); };
  });
}

}  // namespace faultline

#include "app/cli/lab/child.h"

#include <fmt/format.h>

#include "app/cli/lab/experiment.h"
#include "app/cli/text/exit_code.h"
#include "core/lab/view/text.h"
#include "platform/host/lab/isolation.h"
#include "platform/host/lab/usage.h"
#include "platform/host/standard_output.h"

namespace faultline {

using namespace std::chrono_literals;

int runLabChild(const std::string& name, const BenchOptions& options, bool traced, std::uint32_t parent) {
  endWithParent(parent);
  const LabExperiment* const experiment = findExperiment(name);
  if (experiment == nullptr) return ExitCode::kUsage;
  StandardOutput out;
  bool written = true;
  LabSpanSink spans;
  if (traced)
    spans = [&](const LabRow& row, Nanoseconds from, Nanoseconds to) {
      const std::string line = fmt::format("S {} {} {}, {}\n", from.count(), to.count(), row.way, row.phase);
      written &= out.writeUnescaped(line).has_value();
    };
  Bench bench(
      options, [&](std::string_view text) { written &= out.writeUnescaped(fmt::format("P {}\n", text)).has_value(); },
      std::move(spans));
  const auto before = processorsUsage();
  runHere(*experiment, bench);
  const auto after = processorsUsage();
  LabReport report{.experiment = name, .title = std::string(experiment->title), .machine = {}, .quick = options.quick};
  report.rows = bench.takeRows();
  if (before && after) report.others = othersShare(*before, *after);
  report.remarks = bench.takeRemarks();
  written &= out.writeUnescaped("R " + labJson({&report, 1})).has_value();
  // The second time, nothing on the way is touched for the first time.
  std::string line(64, '\n');
  for (const char kind : {'P', 'F'}) {
    sleepFor(1ms);
    line.clear();
    const LabUsage usage = processUsage();
    fmt::format_to(std::back_inserter(line), "{} {} {}\n", kind, usage.faults - usage.childFaults, usage.childFaults);
    written &= out.writeUnescaped(line).has_value();
  }
  if (!written) return ExitCode::kFailure;
  sleepFor(60s);
  return ExitCode::kOk;
}

}  // namespace faultline

#include "app/cli/lab/experiment.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

struct Run {
  std::string_view name;
  void (*run)(Bench& bench);
};
constexpr std::array kRuns{Run{"cost", runCost},
                           Run{"topdown", runTopdown},
                           Run{"pool", runPool},
                           Run{"serialise", runSerialise},
                           Run{"nodes", runNodes},
                           Run{"eager", runEager},
                           Run{kCalibrationExperiment.name, runCalibration},
                           Run{kFreedExperiment.name, runFreed}};

}  // namespace

const LabExperiment* findExperiment(std::string_view name) {
  for (const LabExperiment* const inner : {&kCalibrationExperiment, &kFreedExperiment})
    if (name == inner->name) return inner;
  const auto experiments = labExperiments();
  const auto found = std::ranges::find(experiments, name, &LabExperiment::name);
  return found == experiments.end() ? nullptr : &*found;
}

void runHere(const LabExperiment& experiment, Bench& bench) {
  const auto found = std::ranges::find(kRuns, experiment.name, &Run::name);
  if (found != kRuns.end()) found->run(bench);
}

}  // namespace faultline

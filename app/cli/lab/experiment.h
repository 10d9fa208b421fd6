// How each experiment of the lab is run.
#pragma once

#include <string_view>

#include "app/cli/lab/bench.h"
#include "core/lab/experiments.h"

namespace faultline {

[[nodiscard]] const LabExperiment* findExperiment(std::string_view name);  // null: there is none
// Runs an experiment that exists, in this process.
void runHere(const LabExperiment& experiment, Bench& bench);

void runCost(Bench& bench);
void runTopdown(Bench& bench);
void runPool(Bench& bench);
void runSerialise(Bench& bench);
void addHardFaults(Bench& bench);  // a part of serialise
void runNodes(Bench& bench);
void runEager(Bench& bench);
void runCalibration(Bench& bench);
void runFreed(Bench& bench);

}  // namespace faultline

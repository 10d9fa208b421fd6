// The experiments of the lab: each repeats one that a post about the cost of memory describes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "app/cli/lab/bench.h"

namespace faultline {

struct Experiment {
  std::string_view name;
  std::string_view title;
  std::uint64_t needs;       // bytes of memory, at most
  std::uint64_t needsQuick;  // in the quick form
  void (*run)(Bench& bench);
};

[[nodiscard]] std::span<const Experiment> allExperiments();
[[nodiscard]] const Experiment* findExperiment(std::string_view name);  // null: there is none

void runCost(Bench& bench);
void runTopdown(Bench& bench);
void runPool(Bench& bench);
void runSerialise(Bench& bench);
void runNodes(Bench& bench);
void runEager(Bench& bench);

}  // namespace faultline

#include "app/cli/lab/experiment.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

constexpr std::array kExperiments{
    Experiment{"eager", "first use of 40 000 000 bytes, mapped lazily or in advance", 64 * kMiB, 64 * kMiB, runEager},
};

}  // namespace

std::span<const Experiment> allExperiments() {
  return kExperiments;
}

const Experiment* findExperiment(std::string_view name) {
  const auto found = std::ranges::find(kExperiments, name, &Experiment::name);
  return found == kExperiments.end() ? nullptr : &*found;
}

}  // namespace faultline

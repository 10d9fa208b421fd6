#include "app/cli/lab/experiment.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

constexpr std::array kExperiments{
    Experiment{"cost", "allocation, first and second touch, release", 1200 * kMiB, 128 * kMiB, runCost},
    Experiment{"topdown", "the place of the next mapping among many of 64 KiB", 128 * kMiB, 64 * kMiB, runTopdown},
    Experiment{"pool", "chunks that a reader hands to workers: blocks reused or new each time", 64 * kMiB, 64 * kMiB,
               runPool},
    Experiment{"serialise", "threads that map, touch and release at the same time", 160 * kMiB, 64 * kMiB,
               runSerialise},
    Experiment{"nodes", "a list whose nodes malloc() allocates one by one or 256 at a time", 128 * kMiB, 128 * kMiB,
               runNodes},
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

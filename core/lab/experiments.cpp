#include "core/lab/experiments.h"

#include <array>

namespace faultline {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

constexpr std::array kExperiments{
    LabExperiment{.name = "cost",
                  .title = "allocation, first and second touch, release",
                  .needs = 1200 * kMiB,
                  .needsQuick = 128 * kMiB,
                  .countsFreed = true},
    LabExperiment{"topdown", "the place of the next mapping among many of 64 KiB", 128 * kMiB, 64 * kMiB},
    LabExperiment{"pool", "chunks that a reader hands to workers: blocks reused or new each time", 64 * kMiB,
                  64 * kMiB},
    LabExperiment{"serialise", "threads that map, touch and release at the same time", 160 * kMiB, 64 * kMiB},
    LabExperiment{.name = "nodes",
                  .title = "a list whose nodes malloc() allocates one by one or 256 at a time",
                  .needs = 128 * kMiB,
                  .needsQuick = 128 * kMiB,
                  .otherMallocs = true},
    LabExperiment{"eager", "first use of 40 000 000 bytes, mapped lazily or in advance", 64 * kMiB, 64 * kMiB},
};

}  // namespace

std::span<const LabExperiment> labExperiments() {
  return kExperiments;
}

}  // namespace faultline

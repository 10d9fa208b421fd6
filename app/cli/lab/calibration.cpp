// calibration: the quick form of cost that Monitor's prices come from: under two seconds.
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/work/page_work.h"
#include "core/lab/calibrate.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kPart = kLargePage;
constexpr std::size_t kSmallBytes = 32 * kMiB;  // more than most caches hold
constexpr std::size_t kLargeBytes = 16 * kMiB;

// Each part is a repetition: one lasts for less than a millisecond, so that few are disturbed on a busy machine.
void addPages(Bench& bench, std::string_view way, LabPages pages, std::size_t bytes, std::size_t step) {
  LabWay added;
  LabRow row{.way = std::string(way), .phase = std::string(kCalibrateTouch)};
  row.amount = kPart / step;
  row.unit = "page";
  row.expectedFaults = row.amount;
  LabRow release = row;
  release.phase = kCalibrateFree;
  release.expectedFaults = 0;
  added.phases = {row, release};
  added.run = [pages, bytes, step](LabTurn& turn) -> Result<void> {
    const auto memory = mapMemory(bytes, pages);
    if (!memory) return tl::unexpected(memory.error());
    const auto part = [&](std::size_t i) { return memory->subspan(i * kPart, kPart); };
    turn.measureParts(bytes / kPart, [&](std::size_t i) { touchPages(part(i), step); });
    turn.measureParts(bytes / kPart, [&](std::size_t i) { unmapMemory(part(i)); });
    return {};
  };
  bench.add(std::move(added));
}

}  // namespace

void runCalibration(Bench& bench) {
  addPages(bench, kCalibrateSmall, LabPages::Small, kSmallBytes, pageBytes());
  addPages(bench, kCalibrateLarge, LabPages::Large, kLargeBytes, kLargePage);
  bench.run(15);
}

}  // namespace faultline

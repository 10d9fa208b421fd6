// freed: 16 MiB are touched and given back, for freed_check.h.
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/work/page_work.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kFreed = std::size_t{16} << 20U;
constexpr std::size_t kMore = std::size_t{512} << 10U;  // stays: takes the last pages out of the kernel's short lists

}  // namespace

void runFreed(Bench& bench) {
  LabWay way;
  way.phases = {{.way = "16 MiB", .phase = "touch and unmap", .amount = kFreed / pageBytes(), .unit = "page"}};
  way.run = [](LabTurn& turn) -> Result<void> {
    const auto memory = mapMemory(kFreed);
    const auto more = mapMemory(kMore);
    if (!memory || !more) return fail("Memory could not be mapped.");
    turn.measure([&] {
      touchPages(*memory);
      touchPages(*more);
      unmapMemory(*memory);
    });
    return {};
  };
  bench.add(std::move(way));
  bench.run(1, false);
}

}  // namespace faultline

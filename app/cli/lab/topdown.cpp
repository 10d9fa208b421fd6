// topdown: n mappings of 64 KiB that stay; the time of all n. The post asks it of VirtualAlloc with MEM_TOP_DOWN.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/lab/experiment.h"
#include "core/text/quantity.h"
#include "platform/host/lab/memory.h"
#include "platform/host/lab/placement.h"

namespace faultline {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;

// The thread's CPU time in all turns so far. The system counts its part in the kernel by ticks, so that one short turn
// tells little.
struct Spent {
  Nanoseconds processor{0};
  Nanoseconds kernel{0};
  bool known = true;

  void add(const LabUsage& before, const LabUsage& after) {
    known = known && before.processor && before.system && after.processor && after.system;
    if (!known) return;
    processor += *after.processor - *before.processor;
    kernel += *after.system - *before.system;
  }
  [[nodiscard]] std::string text() const {
    if (!known || processor <= Nanoseconds(0)) return {};
    return fmt::format("{} of {} of CPU time in all turns was in the kernel.",
                       formatDuration(std::min(kernel, processor)), formatDuration(processor));
  }
};

void addRound(Bench& bench, const Placement& placement, std::size_t count) {
  LabWay way;
  way.phases = {{.way = std::string(placement.name), .phase = fmt::format("n = {}", count)}};
  way.phases[0].amount = count;
  way.phases[0].unit = "mapping";
  way.run = [placement, count, spent = std::make_shared<Spent>()](LabTurn& turn) -> Result<void> {
    std::vector<std::span<std::byte>> made(count);
    Result<void> result;
    const std::size_t before = mappingCount().value_or(0);
    const LabUsage begun = threadUsage();
    turn.measure([&] {
      for (std::size_t i = 0; i < count && result; ++i) {
        const auto memory = place(placement, i, kPiece);
        if (memory) made[i] = *memory;
        else result = tl::unexpected(memory.error());
      }
    });
    spent->add(begun, threadUsage());
    turn.note(spent->text());
    turn.result(mappingCount().value_or(0) - before);
    for (const std::span<std::byte> memory : made)
      if (!memory.empty()) unmapMemory(memory);
    return result;
  };
  bench.add(std::move(way));
}

}  // namespace

void runTopdown(Bench& bench) {
  const std::size_t most = mappingLimit().value_or(64'000);
  const auto fits = [&](std::size_t count) { return count + mappingCount().value_or(0) + 100 <= most; };
  for (const Placement& placement : placements())
    for (const std::size_t count : {1000U, 2000U, 4000U, 8000U, 16'000U, 32'000U, 64'000U})
      if (fits(count) && (!bench.quick() || count <= 16'000) && (!placement.merged || count == 2000))
        addRound(bench, placement, count);
  if (const auto limit = mappingLimit())
    bench.remark(fmt::format(
        "Neighbours have different protections, or Linux would merge them; a process may have {} mappings "
        "here. This is "
        "another question than that of the post: Linux has no MEM_TOP_DOWN. The column \"mappings\" shows how "
        "many each process has.",
        *limit));
  else
    bench.remark(
        "Addresses are reserved, and no memory is committed. AllocationPreference in the registry would put "
        "all of them top-down.");
  bench.run(bench.quick() ? 5 : 11);
}

}  // namespace faultline

// cost: allocation, first touch, second touch and release of blocks straight from the operating system, and by
// malloc().
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "app/cli/lab/experiment.h"
#include "app/cli/lab/work/page_work.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kHeapThreshold = std::size_t{128} << 10U;  // where glibc begins
constexpr std::size_t kFewPlugs = 8;                             // more blocks than earlier ways have left in the heap

enum class Touch { None, Pages, All };

struct Block {
  std::size_t bytes = 0;
  std::string name{};
  Touch touch = Touch::None;
  LabPages pages = LabPages::Small;
  std::size_t page = 0;  // of pages between small and large; 0: others
};

void touchBlock(std::span<std::byte> memory, Touch touch) {
  if (touch == Touch::All) std::memset(hidden(memory.data()), 1, memory.size());
  if (touch == Touch::Pages) touchPages(memory);
}

std::string sizeName(std::size_t bytes) {
  return bytes >= kMiB ? fmt::format("{} MiB", bytes / kMiB) : fmt::format("{} KiB", bytes / 1024);
}

std::size_t pageOf(const Block& block) {
  if (block.page != 0) return block.page;
  return block.pages == LabPages::Large || block.pages == LabPages::Reserved ? kLargePage : pageBytes();
}

std::uint64_t pagesOf(const Block& block) {
  return (block.bytes + pageOf(block) - 1) / pageOf(block);
}

Result<std::span<std::byte>> mapBlock(const Block& block) {
  return block.page != 0 ? mapMedium(block.bytes, block.page) : mapMemory(block.bytes, block.pages);
}

// A phase whose amount is the size of the block, or, below a MiB and for calls alone, a call.
LabRow phase(const Block& block, const std::string& name, std::optional<std::uint64_t> faults,
             std::string published = {}) {
  LabRow row{.way = sizeName(block.bytes) + block.name, .phase = name, .pages = sizeName(pageOf(block))};
  row.amount = block.touch == Touch::None ? 1 : block.bytes / kMiB;
  row.unit = block.touch == Touch::None ? "call" : "MiB";
  row.expectedFaults = faults;
  row.published = std::move(published);
  return row;
}

// alloc, then touch, again and free; `advice` is given between the two touches, as a phase of its own.
void addTouched(Bench& bench, const Block& block, bool expected) {
  const auto count = [&](std::uint64_t faults) { return expected ? std::optional(faults) : std::nullopt; };
  const bool all = block.touch == Touch::All;
  LabWay way;
  way.phases = {phase(block, "alloc", count(0), all ? "13 µs a call" : ""),
                phase(block, "touch", count(pagesOf(block)), all ? "175 µs/MiB more than again" : ""),
                phase(block, "again", count(0)), phase(block, "free", count(0), all ? "75 µs/MiB" : "")};
  way.run = [block](LabTurn& turn) -> Result<void> {
    Result<std::span<std::byte>> memory;
    turn.measure([&] { memory = mapBlock(block); });
    if (!memory) return tl::unexpected(memory.error());
    turn.measure([&] { touchBlock(*memory, block.touch); });
    turn.measure([&] { touchBlock(*memory, block.touch); });
    turn.measure([&] { unmapMemory(*memory); });
    return {};
  };
  bench.add(std::move(way));
}

void addUntouched(Bench& bench, std::size_t bytes) {
  const Block block{.bytes = bytes, .name = ", untouched"};
  LabWay way;
  way.phases = {phase(block, "alloc", 0, "5.0 µs"), phase(block, "free", 0, "2.5 µs")};
  way.run = [bytes](LabTurn& turn) -> Result<void> {
    Result<std::span<std::byte>> memory;
    turn.measure([&] { memory = mapMemory(bytes); });
    if (!memory) return tl::unexpected(memory.error());
    turn.measure([&] { unmapMemory(*memory); });
    return {};
  };
  bench.add(std::move(way));
}

// Mapped at once by `pages` or `advice`; then the first touch.
void addInAdvance(Bench& bench, const std::string& name, LabPages pages, std::optional<MemoryAdvice> advice) {
  const Block block{.bytes = 16 * kMiB, .name = name, .touch = Touch::Pages};
  LabWay way;
  way.phases = {phase(block, "alloc", {}), phase(block, "touch", 0)};
  way.run = [block, pages, advice](LabTurn& turn) -> Result<void> {
    Result<std::span<std::byte>> memory;
    Result<void> advised;
    turn.measure([&] {
      memory = mapMemory(block.bytes, pages);
      if (memory && advice) advised = advise(*memory, *advice);
    });
    if (!memory) return tl::unexpected(memory.error());
    if (advised) turn.measure([&] { touchBlock(*memory, block.touch); });
    unmapMemory(*memory);
    return advised;
  };
  bench.add(std::move(way));
}

// Touched, given back in part by `advice`, and touched again.
void addAdvised(Bench& bench, const std::string& name, MemoryAdvice advice, std::optional<std::uint64_t> faults) {
  const Block block{.bytes = 16 * kMiB, .name = name, .touch = Touch::Pages};
  LabWay way;
  way.phases = {phase(block, "advice", 0), phase(block, "again", faults)};
  way.run = [block, advice](LabTurn& turn) -> Result<void> {
    const auto memory = mapMemory(block.bytes);
    if (!memory) return tl::unexpected(memory.error());
    touchBlock(*memory, block.touch);
    Result<void> advised;
    turn.measure([&] { advised = advise(*memory, advice); });
    if (advised) turn.measure([&] { touchBlock(*memory, block.touch); });
    unmapMemory(*memory);
    return advised;
  };
  bench.add(std::move(way));
}

// The system's own pages of medium size; one remark for all that are switched off.
void addMedium(Bench& bench) {
  std::string off;
  std::string why;
  for (const std::size_t page : mediumPages()) {
    const auto tried = mapMedium(page, page);
    if (tried) {
      unmapMemory(*tried);
      const Block block{
          .bytes = 16 * kMiB, .name = ", pages of " + sizeName(page), .touch = Touch::Pages, .page = page};
      addTouched(bench, block, false);
    } else {
      off += (off.empty() ? "" : ", ") + sizeName(page);
      why = tried.error().message;
    }
  }
  if (!off.empty()) bench.remark(fmt::format("Pages of {} are not measured: {}", off, why));
}

// `fixed`: malloc() passes all large blocks to the system, and faults each time.
void addHeap(Bench& bench, std::size_t bytes, bool fixed = false) {
  const Block block{
      .bytes = bytes, .name = fixed ? " by malloc, fixed threshold" : " by malloc", .touch = Touch::Pages};
  LabWay way;
  way.phases = {phase(block, "alloc", {}), phase(block, "touch", {}), phase(block, "free", {})};
  way.run = [bytes, fixed](LabTurn& turn) -> Result<void> {
    if (fixed)
      if (auto done = fixHeapThreshold(kHeapThreshold); !done) return done;
    std::vector<std::unique_ptr<std::byte[]>> plugs;  // take the free blocks of the heap, which would serve else
    while (fixed && plugs.size() < kFewPlugs) plugs.emplace_back(hidden(new std::byte[bytes]));
    static_cast<void>(allowLargePages(false));
    std::byte* at = nullptr;
    turn.measure([&] { at = hidden(static_cast<std::byte*>(std::malloc(bytes))); });
    if (at == nullptr) return fail("There is no memory left.");
    turn.measure([&] { touchBlock({at, bytes}, Touch::Pages); });
    turn.measure([&] { std::free(at); });
    return allowLargePages(true);
  };
  bench.add(std::move(way));
}

}  // namespace

void runCost(Bench& bench) {
  const std::uint64_t pages = 16 * kMiB / pageBytes();
  for (const std::size_t size : {8 * kMiB, 16 * kMiB, 32 * kMiB}) {
    addUntouched(bench, size);
    addTouched(bench, {.bytes = size, .name = ", a byte a page", .touch = Touch::Pages}, true);
    addTouched(bench, {.bytes = size, .name = ", whole", .touch = Touch::All}, true);
  }
  addTouched(bench, {.bytes = 16 * kMiB, .name = ", large pages", .touch = Touch::Pages, .pages = LabPages::Large},
             true);
  addTouched(bench,
             {.bytes = 16 * kMiB, .name = ", reserved pages", .touch = Touch::Pages, .pages = LabPages::Reserved},
             true);
  addMedium(bench);
  addInAdvance(bench, ", populated", LabPages::Populated, {});
  addInAdvance(bench, ", populate-write", LabPages::Small, MemoryAdvice::PopulateWrite);
  addInAdvance(bench, ", locked", LabPages::Small, MemoryAdvice::Lock);
  addAdvised(bench, ", dropped", MemoryAdvice::Drop, pages);
  addAdvised(bench, ", offered", MemoryAdvice::Free, {});
  addAdvised(bench, ", cold", MemoryAdvice::Cold, {});
  addAdvised(bench, ", paged out", MemoryAdvice::PageOut, {});
  for (const std::size_t size : {8 * kMiB, 31 * kMiB, 32 * kMiB, 40 * kMiB}) addHeap(bench, size);
  if (!bench.quick())
    for (const std::size_t size : {4 * kMiB / 1024, kMiB / 16, kMiB, 64 * kMiB, 256 * kMiB, 1024 * kMiB})
      addTouched(bench, {.bytes = size, .name = ", a byte a page", .touch = Touch::Pages}, true);
  bench.remark(
      "dropped, offered, cold, paged out: MADV_DONTNEED, MADV_FREE, MADV_COLD and MADV_PAGEOUT (only with swap do the "
      "pages leave). On Linux the first touch contains the zeroing of the page: compare it with the 175 + 150 µs/MiB "
      "of the post. malloc() of glibc learns from the first blocks to keep all up to 32 MiB; with a fixed threshold it "
      "does not.");
  const int turns = bench.quick() ? 7 : 15;
  bench.run(turns);
  for (const std::size_t size : {8 * kMiB, 31 * kMiB}) addHeap(bench, size, true);
  bench.run(turns);
}

}  // namespace faultline

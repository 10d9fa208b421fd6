// pool: chunks go from a reader to workers (pool_job.h). Their blocks come from the system, from malloc() in sizes on
// both sides of what a heap may keep for itself, or from a pool of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

#include "app/cli/lab/experiment.h"
#include "app/cli/lab/work/pool_job.h"
#include "core/text/quantity.h"
#include "platform/host/lab/isolation.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kText = 512 * kKiB;
constexpr std::size_t kFixedThreshold = 128 * kKiB;  // where glibc begins
constexpr std::size_t kPlugs = 32;                   // more blocks than earlier ways have left in the heap

struct Kind {
  PoolOrigin origin;
  std::string name;
  std::size_t text = kText;
  bool fixed = false;  // malloc() passes each block on to the system
};

std::string published(const Kind& kind, std::size_t workers) {
  const bool one = workers == 1;
  if (kind.origin == PoolOrigin::Pool) return one ? "404 to 570 ms" : "100 to 131 ms";
  if (kind.origin == PoolOrigin::System) return one ? "604 ms (macOS)" : "165 ms (macOS)";
  if (kind.fixed || kind.text != kText) return {};
  return one ? "404 to 610 ms" : "120 to 204 ms, 152 000 faults";
}

std::string usedText(const PoolOutcome& outcome, std::size_t block) {
  return fmt::format(
      "The reader asked for {} block{} of {}, {} in all; the queue held up to {} chunk{}, {:.1f} on average.",
      formatCount(outcome.blocks), outcome.blocks == 1 ? "" : "s", formatBytes(block), formatBytes(outcome.bytes),
      outcome.deepest, outcome.deepest == 1 ? "" : "s", outcome.depth);
}

void addWay(Bench& bench, const Kind& kind, const std::shared_ptr<const Result<PoolChunks>>& chunks,
            std::size_t workers) {
  LabWay way;
  LabRow row{.way = kind.name, .phase = fmt::format("{} worker{}", workers, workers == 1 ? "" : "s")};
  row.pages = fmt::format("{} KiB", pageBytes() / kKiB);
  if (*chunks) {
    const std::size_t pages = (*chunks)->pages();
    const bool pool = kind.origin == PoolOrigin::Pool;
    row.amount = pool ? (kPoolDepth + workers + 1) * (pages / (*chunks)->count + 1) : pages;
    if (!pool) row.unit = "page";
  }
  row.alone = false;
  row.published = published(kind, workers);
  way.phases = {std::move(row)};
  way.run = [chunks, kind, workers](LabTurn& turn) -> Result<void> {
    if (!*chunks) return tl::unexpected(chunks->error());
    std::vector<std::unique_ptr<std::byte[]>> plugs;  // take the free blocks of the heap, which would serve else
    if (kind.fixed) {
      if (auto fixed = fixHeapThreshold(kFixedThreshold); !fixed) return fixed;
      while (plugs.size() < kPlugs) plugs.emplace_back(hidden(new std::byte[(*chunks)->block()]));
    }
    std::optional<PoolOutcome> outcome;
    turn.measure([&] {
      outcome = runPoolJob(**chunks, kind.origin, workers);
      return outcome ? outcome->found : 0;
    });
    if (!outcome) return fail("Memory ran out, or a chunk could not be decompressed.");
    turn.note(usedText(*outcome, outcome->bytes / outcome->blocks));
    return {};
  };
  bench.add(std::move(way));
}

std::shared_ptr<const Result<PoolChunks>> chunksOf(std::size_t text, std::size_t total) {
  return std::make_shared<const Result<PoolChunks>>(poolChunks(text, total));
}

}  // namespace

void runPool(Bench& bench) {
  static_cast<void>(allowLargePages(false));
  nameThread("reader");
  const std::size_t count = bench.quick() ? 100 : 932;
  const auto usual = chunksOf(kText, count * kText);
  const std::size_t many = std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
  const std::array sizes{Kind{PoolOrigin::Heap, "malloc, blocks of 320 KiB", kText / 2},
                         Kind{PoolOrigin::Heap, "malloc, blocks of 1280 KiB", kText * 2}};
  for (const std::size_t workers : {std::size_t{1}, many})
    for (const Kind& kind :
         {Kind{PoolOrigin::Pool, "pool"}, Kind{PoolOrigin::System, "system"}, Kind{PoolOrigin::Heap, "malloc"}})
      addWay(bench, kind, usual, workers);
  for (const Kind& kind : sizes) addWay(bench, kind, chunksOf(kind.text, count * kText), many);
  const int turns = bench.quick() ? 3 : 5;
  bench.remark(fmt::format(
      "{} chunks of 512 KiB, or as much text in others, compressed by zlib to {}; the queue holds at most {} chunks. "
      "The post found that 32-bit Windows keeps blocks up to 508 KiB in its heap, and 64-bit Windows up to 1020 KiB; "
      "glibc learns to keep them all, unless its threshold is fixed. zlib is slower than the LZ4 of the post, so that "
      "page faults are a smaller part. --trace tells the time of each fault.",
      count, *usual ? formatBytes((*usual)->packed.front().size()) : "nothing", kPoolDepth));
  bench.run(turns);
  addWay(bench, {.origin = PoolOrigin::Heap, .name = "malloc, fixed threshold", .fixed = true}, usual, many);
  bench.run(turns);
}

}  // namespace faultline

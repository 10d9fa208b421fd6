// pool: a reader hands compressed chunks to workers, which decompress a chunk behind its compressed form, search the
// text and release the block. Blocks come from the system, from malloc(), or from a pool of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>

#include "app/cli/lab/codec.h"
#include "app/cli/lab/experiment.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kText = std::size_t{512} << 10U;
constexpr std::size_t kPacked = std::size_t{128} << 10U;  // room for the compressed form
constexpr std::size_t kBlock = kText + kPacked;
constexpr std::size_t kPooled = std::size_t{768} << 10U;
constexpr std::size_t kDepth = 8;  // chunks in the queue, at most

enum class Origin { System, Heap, Pool };

class Blocks {
 public:
  explicit Blocks(Origin origin) : m_origin(origin) {}
  ~Blocks() {
    for (std::byte* block : m_free) std::free(block);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::byte* take() {
    if (m_origin == Origin::System) return mapMemory(kBlock).value_or(std::span<std::byte>()).data();
    if (m_origin == Origin::Heap) return hidden(static_cast<std::byte*>(std::malloc(kBlock)));
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) return hidden(static_cast<std::byte*>(std::malloc(kPooled)));
    std::byte* const block = m_free.back();
    m_free.pop_back();
    return block;
  }
  void giveBack(std::byte* block) {
    if (m_origin == Origin::System) return unmapMemory({block, kBlock});
    if (m_origin == Origin::Heap) return std::free(block);
    const std::lock_guard lock(m_mutex);
    m_free.push_back(block);
  }

 private:
  Origin m_origin;
  std::mutex m_mutex;
  std::vector<std::byte*> m_free;
};

// At most kDepth chunks; null ends a worker.
class Queue {
 public:
  void put(std::byte* block) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_blocks.size() < kDepth; });
    m_blocks.push_back(block);
    m_changed.notify_all();
  }
  std::byte* get() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_blocks.empty(); });
    std::byte* const block = m_blocks.front();
    m_blocks.pop_front();
    m_changed.notify_all();
    return block;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<std::byte*> m_blocks;
};

// Words from a small dictionary, which compress to about a quarter.
std::vector<std::byte> makeText() {
  std::mt19937 random(1);
  std::vector<std::string> words(300);
  for (std::string& word : words) {
    word.resize(6 + random() % 10);
    for (char& letter : word) letter = static_cast<char>('a' + random() % 26);
  }
  std::string text;
  while (text.size() < kText) text += words[random() % words.size()] + (random() % 10 == 0 ? "\n" : " ");
  std::vector<std::byte> bytes(kText);
  std::memcpy(bytes.data(), text.data(), kText);
  return bytes;
}

std::uint64_t search(std::span<const std::byte> text) {
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  std::uint64_t found = 0;
  for (std::size_t at = 0; (at = all.find("foo", at)) != std::string_view::npos; ++at) ++found;
  return found + static_cast<std::uint64_t>(std::ranges::count(all, '\n'));
}

struct Job {
  const std::vector<std::byte>& packed;
  std::size_t chunks;
};

// The sum of what the workers found; absent if memory ran out or a chunk was damaged.
std::optional<std::uint64_t> runJob(const Job& job, Origin origin, std::size_t workers) {
  Blocks blocks(origin);
  Queue queue;
  std::vector<std::uint64_t> found(workers);
  std::vector<char> damaged(workers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < workers; ++i)
    threads.emplace_back([&, i] {
      while (std::byte* const block = queue.get()) {
        const std::span<std::byte> text(block + kPacked, kText);
        if (decompress({block, job.packed.size()}, text)) found[i] += search(text);
        else damaged[i] = 1;
        blocks.giveBack(block);
      }
    });
  bool failed = false;
  for (std::size_t i = 0; i < job.chunks && !failed; ++i) {
    std::byte* const block = blocks.take();
    failed = block == nullptr;
    if (failed) break;
    std::memcpy(block, job.packed.data(), job.packed.size());
    queue.put(block);
  }
  for (std::size_t i = 0; i < workers; ++i) queue.put(nullptr);
  for (std::thread& thread : threads) thread.join();
  failed |= std::ranges::any_of(damaged, [](char is) { return is != 0; });
  std::uint64_t sum = 0;
  for (const std::uint64_t one : found) sum += one;
  return failed ? std::nullopt : std::optional(sum);
}

}  // namespace

void runPool(Bench& bench) {
  static_cast<void>(allowLargePages(false));
  const auto packed = compressed(makeText());
  const std::size_t chunks = bench.quick() ? 100 : 932;
  const std::size_t many = std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
  const std::size_t pages = packed ? (packed->size() + pageBytes() - 1) / pageBytes() + kText / pageBytes() : 0;
  struct Kind {
    Origin origin;
    const char* name;
  };
  for (const std::size_t workers : {std::size_t{1}, many})
    for (const Kind kind : {Kind{Origin::Pool, "pool"}, Kind{Origin::System, "system"}, Kind{Origin::Heap, "malloc"}}) {
      LabWay way;
      LabRow row{.way = kind.name, .phase = fmt::format("{} worker{}", workers, workers == 1 ? "" : "s")};
      row.pages = fmt::format("{} KiB", pageBytes() / 1024);
      row.amount = kind.origin == Origin::Pool ? (kDepth + workers + 1) * (pages + 1) : chunks * pages;
      if (kind.origin != Origin::Pool) row.unit = "page";
      row.alone = false;
      if (kind.origin == Origin::Pool) row.published = workers == 1 ? "404 to 570 ms" : "100 to 131 ms";
      if (kind.origin == Origin::System) row.published = workers == 1 ? "604 ms (macOS)" : "165 ms (macOS)";
      if (kind.origin == Origin::Heap) row.published = workers == 1 ? "404 to 610 ms" : "120 to 204 ms, 152 000 faults";
      way.phases = {std::move(row)};
      way.run = [&packed, chunks, kind, workers](LabTurn& turn) -> Result<void> {
        if (!packed) return tl::unexpected(packed.error());
        if (packed->size() > kPacked) return fail("The text does not compress to a quarter.");
        std::optional<std::uint64_t> found;
        turn.measure([&] { return (found = runJob({*packed, chunks}, kind.origin, workers)).value_or(0); });
        if (!found) return fail("A chunk could not be decompressed.");
        return {};
      };
      bench.add(std::move(way));
    }
  bench.remark(fmt::format(
      "{} chunks of 512 KiB, compressed by zlib to {} KiB; the queue holds at most {} chunks. zlib is slower than the "
      "LZ4 "
      "of the post, so that page faults are a smaller part. The time of each fault and lanes are not measured here.",
      chunks, packed ? packed->size() / 1024 : 0, kDepth));
  bench.run(bench.quick() ? 3 : 5);
}

}  // namespace faultline

#include "app/cli/lab/work/pool_job.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "app/cli/lab/work/codec.h"
#include "app/cli/lab/work/hidden.h"
#include "platform/host/lab/isolation.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kTextPiece = std::size_t{256} << 10U;  // ends with a line, so that no chunk cuts a word
constexpr std::size_t kPeriod = std::size_t{512} << 10U;     // of the whole text
constexpr std::size_t kPoolRoom = std::size_t{128} << 10U;   // of a block of the pool, beyond the need

class Blocks {
 public:
  Blocks(PoolOrigin origin, std::size_t bytes) : m_origin(origin), m_bytes(bytes) {}
  ~Blocks() {
    for (std::byte* block : m_free) std::free(block);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::byte* take() {
    const std::lock_guard lock(m_mutex);
    if (m_origin == PoolOrigin::Pool && !m_free.empty()) {
      std::byte* const block = m_free.back();
      m_free.pop_back();
      return block;
    }
    const std::size_t bytes = m_origin == PoolOrigin::Pool ? m_bytes + kPoolRoom : m_bytes;
    ++m_made;
    m_asked += bytes;
    if (m_origin == PoolOrigin::System) return mapMemory(bytes).value_or(std::span<std::byte>()).data();
    return hidden(static_cast<std::byte*>(std::malloc(bytes)));
  }
  void giveBack(std::byte* block) {
    if (m_origin == PoolOrigin::System) return unmapMemory({block, m_bytes});
    if (m_origin == PoolOrigin::Heap) return std::free(block);
    const std::lock_guard lock(m_mutex);
    m_free.push_back(block);
  }
  [[nodiscard]] std::size_t made() const { return m_made; }
  [[nodiscard]] std::uint64_t asked() const { return m_asked; }

 private:
  PoolOrigin m_origin;
  std::size_t m_bytes;
  std::mutex m_mutex;
  std::vector<std::byte*> m_free;
  std::size_t m_made = 0;
  std::uint64_t m_asked = 0;
};

// At most kPoolDepth chunks; null ends a worker.
class Queue {
 public:
  void put(std::byte* block) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_blocks.size() < kPoolDepth; });
    m_blocks.push_back(block);
    m_deepest = std::max(m_deepest, m_blocks.size());
    m_depths += m_blocks.size();
    ++m_puts;
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
  [[nodiscard]] std::size_t deepest() const { return m_deepest; }
  [[nodiscard]] double depth() const {
    return m_puts > 0 ? static_cast<double>(m_depths) / static_cast<double>(m_puts) : 0;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<std::byte*> m_blocks;
  std::size_t m_deepest = 0;
  std::size_t m_depths = 0;
  std::size_t m_puts = 0;
};

// Words from a small dictionary, which compress to about a quarter.
std::string makeText() {
  std::mt19937 random(1);
  std::vector<std::string> words(300);
  for (std::string& word : words) {
    word.resize(6 + random() % 10);
    for (char& letter : word) letter = static_cast<char>('a' + random() % 26);
  }
  std::string text;
  while (text.size() < kPeriod) text += words[random() % words.size()] + (random() % 10 == 0 ? "\n" : " ");
  text.resize(kPeriod);
  for (std::size_t end = kTextPiece; end <= kPeriod; end += kTextPiece) text[end - 1] = '\n';
  return text;
}

std::uint64_t search(std::span<const std::byte> text) {
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  std::uint64_t found = 0;
  for (std::size_t at = 0; (at = all.find("foo", at)) != std::string_view::npos; ++at) ++found;
  return found + static_cast<std::uint64_t>(std::ranges::count(all, '\n'));
}

struct Worker {
  std::uint64_t found = 0;
  bool damaged = false;
};

// A chunk begins with the size of its compressed form.
void work(Queue& queue, Blocks& blocks, const PoolChunks& chunks, Worker& worker) {
  nameThread("worker");
  while (std::byte* const block = queue.get()) {
    std::size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    const std::span<std::byte> text(block + chunks.room, chunks.text);
    if (decompress({block + sizeof size, size}, text)) worker.found += search(text);
    else worker.damaged = true;
    blocks.giveBack(block);
  }
}

// False if memory ran out.
bool read(Queue& queue, Blocks& blocks, const PoolChunks& chunks) {
  for (std::size_t i = 0; i < chunks.count; ++i) {
    std::byte* const block = blocks.take();
    if (block == nullptr) return false;
    const std::vector<std::byte>& packed = chunks.packed[i % chunks.packed.size()];
    const std::size_t size = packed.size();
    std::memcpy(block, &size, sizeof size);
    std::memcpy(block + sizeof size, packed.data(), size);
    queue.put(block);
  }
  return true;
}

std::size_t pagesOf(std::size_t bytes) {
  return (bytes + pageBytes() - 1) / pageBytes();
}

}  // namespace

std::size_t PoolChunks::pages() const {
  std::size_t all = 0;
  for (std::size_t i = 0; i < count; ++i)
    all += pagesOf(sizeof(std::size_t) + packed[i % packed.size()].size()) + pagesOf(text);
  return all;
}

Result<PoolChunks> poolChunks(std::size_t text, std::size_t total) {
  const std::string whole = makeText();
  PoolChunks chunks{.packed = {}, .text = text, .room = text / 4, .count = total / text};
  for (std::size_t begin = 0; begin < std::max(text, kPeriod); begin += text) {
    std::vector<std::byte> bytes(text);
    for (std::size_t at = 0; at < text; at += kTextPiece)
      std::memcpy(bytes.data() + at, whole.data() + (begin + at) % kPeriod, kTextPiece);
    auto packed = compressed(bytes);
    if (!packed) return tl::unexpected(packed.error());
    if (packed->size() + sizeof(std::size_t) > chunks.room) return fail("The text does not compress to a quarter.");
    chunks.packed.push_back(std::move(*packed));
  }
  return chunks;
}

std::optional<PoolOutcome> runPoolJob(const PoolChunks& chunks, PoolOrigin origin, std::size_t workers) {
  Blocks blocks(origin, chunks.block());
  Queue queue;
  std::vector<Worker> states(workers);
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (Worker& state : states) threads.emplace_back([&] { work(queue, blocks, chunks, state); });
  const bool whole = read(queue, blocks, chunks);
  PoolOutcome outcome{.blocks = 0, .deepest = queue.deepest(), .depth = queue.depth()};
  for (std::size_t i = 0; i < workers; ++i) queue.put(nullptr);
  for (std::thread& thread : threads) thread.join();
  for (const Worker& state : states) outcome.found += state.found;
  outcome.blocks = blocks.made();
  outcome.bytes = blocks.asked();
  if (!whole || std::ranges::any_of(states, &Worker::damaged)) return std::nullopt;
  return outcome;
}

}  // namespace faultline

// nodes: a linked list of nodes that are allocated one by one, or 256 at a time. The way "warm" flatters malloc(); each
// of the other ways switches on one of the reasons for which real programs pay more, and "all" switches on all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "app/cli/lab/experiment.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kCount = 20'000;
constexpr std::size_t kBatch = 256;
constexpr std::size_t kMiB = std::size_t{1} << 20U;

struct Node {
  Node* next;
  std::uint64_t value;
};

struct Switches {
  std::string name{};
  bool fresh = false;      // the heap has given its free memory back: faults, brk()
  bool cold = false;       // caches are evicted before
  bool fragments = false;  // holes of many sizes
  bool sizes = false;      // nodes of many sizes
  bool scattered = false;  // free blocks in random order
  bool live = false;       // 16 MiB of other blocks
  bool yields = false;     // leaves the processor now and then
};

// Nodes from malloc(), one or a batch at a time.
class Source {
 public:
  Source(bool pooled, bool sizes) : m_pooled(pooled), m_sizes(sizes) {}
  ~Source() {
    for (void* block : m_blocks) std::free(block);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Touches the list of blocks in advance.
  void expect(std::size_t count) {
    m_blocks.assign(count, nullptr);
    m_blocks.clear();
  }
  Node* make() {
    const std::size_t size = m_sizes ? sizeof(Node) + (m_made * 37 % 8) * 16 : sizeof(Node);
    ++m_made;
    if (!m_pooled) return take(size);
    if (m_left < size) {
      m_at = reinterpret_cast<std::byte*>(take(kBatch * sizeof(Node)));
      m_left = kBatch * sizeof(Node);
    }
    Node* const node = reinterpret_cast<Node*>(m_at);
    m_at += size;
    m_left -= size;
    return node;
  }

 private:
  Node* take(std::size_t size) {
    void* const block = hidden(std::malloc(size));
    if (block == nullptr) std::abort();
    m_blocks.push_back(block);
    return static_cast<Node*>(block);
  }

  bool m_pooled;
  bool m_sizes;
  std::size_t m_made = 0;
  std::size_t m_left = 0;
  std::byte* m_at = nullptr;
  std::vector<void*> m_blocks;
};

void insertAtEnd(Source& source, bool yields) {
  Node* head = nullptr;
  Node** end = &head;
  for (std::size_t i = 0; i < kCount; ++i) {
    Node* const node = source.make();
    node->next = nullptr;
    node->value = i;
    *end = node;
    end = &node->next;
    if (yields && i % 1000 == 0) std::this_thread::sleep_for(std::chrono::microseconds(1));
  }
}

// Other blocks of the heap, kept or given back in a chosen order.
struct Others {
  std::vector<void*> kept;
  ~Others() {
    for (void* block : kept) std::free(block);
  }
  void fill(std::size_t bytes, std::size_t least, std::size_t most, std::mt19937& random) {
    std::uniform_int_distribution<std::size_t> size(least, most);
    for (std::size_t done = 0; done < bytes; done += (least + most) / 2) kept.push_back(std::malloc(size(random)));
  }
  void freeEverySecond() {
    for (std::size_t i = 0; i < kept.size(); i += 2) std::free(std::exchange(kept[i], nullptr));
  }
};

void evictCaches() {
  std::vector<char> large(32 * kMiB);
  std::memset(hidden(large.data()), 1, large.size());
}

void scatter(std::mt19937& random) {
  std::vector<void*> blocks(2 * kCount);
  for (void*& block : blocks) block = hidden(std::malloc(sizeof(Node)));
  std::ranges::shuffle(blocks, random);
  for (void* block : blocks) std::free(block);
}

void addWay(Bench& bench, const Switches& on, bool pooled) {
  LabWay way;
  LabRow row{.way = on.name + (pooled ? ", pooled" : ", malloc per node"), .phase = "insert"};
  row.pages = fmt::format("{} KiB", pageBytes() / 1024);
  row.amount = kCount;
  row.unit = "node";
  if (on.name == "warm") row.expectedFaults = 0;
  if (on.name == "warm" && !pooled) row.published = "27 to 32 ns, of which ~20 malloc";
  way.phases = {row};
  way.run = [on, pooled](LabTurn& turn) -> Result<void> {
    std::mt19937 random(1);
    Others live;
    Others holes;
    if (on.live) live.fill(16 * kMiB, 32, 512, random);
    if (on.fragments) holes.fill(4 * kMiB, 16, 1024, random);
    holes.freeEverySecond();
    if (on.scattered) scatter(random);
    if (!on.fresh) {  // the first iteration, which takes the faults
      Source first(pooled, on.sizes);
      first.expect(kCount);
      insertAtEnd(first, false);
      holes.kept.push_back(std::malloc(64));  // lies above: the heap keeps what is free below
    } else {
      trimHeap();
    }
    Source source(pooled, on.sizes);
    source.expect(kCount);
    if (on.cold) evictCaches();
    turn.measure([&] { insertAtEnd(source, on.yields); });
    return {};
  };
  bench.add(std::move(way));
}

}  // namespace

void runNodes(Bench& bench) {
  static_cast<void>(allowLargePages(false));
  const Switches ways[]{{.name = "warm"},
                        {.name = "fresh heap", .fresh = true},
                        {.name = "cold caches", .cold = true},
                        {.name = "fragments", .fragments = true},
                        {.name = "sizes", .sizes = true},
                        {.name = "scattered", .scattered = true},
                        {.name = "large heap", .live = true},
                        {.name = "switches", .yields = true},
                        {.name = "all",
                         .fresh = true,
                         .cold = true,
                         .fragments = true,
                         .sizes = true,
                         .scattered = true,
                         .live = true,
                         .yields = true}};
  for (const Switches& way : ways)
    for (const bool pooled : {false, true}) addWay(bench, way, pooled);
  bench.remark(
      "20 000 nodes are inserted at the end of a list and kept. Of the nine reasons of the post, several threads are "
      "not "
      "measured yet; faults and brk() are switched on together. \"switches\" sleep by design: compare their CPU time.");
  bench.run(bench.quick() ? 7 : 25);
}

}  // namespace faultline

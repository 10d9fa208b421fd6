// nodes: a linked list of nodes that are allocated one by one, or 256 at a time. The way "warm" flatters malloc(); each
// of the other ways switches on one of the reasons for which real programs pay more, and "all" switches on all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

#include "app/cli/lab/experiment.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kCount = 20'000;
constexpr std::size_t kBatch = 256;
constexpr std::size_t kUsualGrowth = std::size_t{128} << 10U;  // of the heap, where glibc begins

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
  bool grows = false;      // the heap asks the system for each page
  bool threads = false;    // two threads at once; the other one frees
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

void insertInFront(Source& source) {
  Node* head = nullptr;
  for (std::size_t i = 0; i < kCount; ++i) {
    Node* const node = source.make();
    node->next = head;
    node->value = i;
    head = node;
  }
}

// The queue of a breadth-first search in a binary tree of kCount nodes: each node that leaves adds its two children.
class Search {
 public:
  explicit Search(bool pooled) : m_source(true, false), m_pooled(pooled) { m_source.expect(kCount / kBatch + 1); }

  std::uint64_t run() {
    std::uint64_t sum = 0;
    push(1);
    while (m_first != nullptr) {
      Node* const node = m_first;
      m_first = node->next;
      const std::uint64_t value = node->value;
      drop(node);
      sum += value;
      if (2 * value <= kCount) push(2 * value);
      if (2 * value + 1 <= kCount) push(2 * value + 1);
    }
    return sum;
  }

 private:
  void push(std::uint64_t value) {
    Node* const node = make();
    node->next = nullptr;
    node->value = value;
    if (m_first == nullptr) m_first = node;
    else m_last->next = node;
    m_last = node;
  }
  Node* make() {
    if (!m_pooled) return hidden(static_cast<Node*>(std::malloc(sizeof(Node))));
    if (m_free == nullptr) return m_source.make();
    return std::exchange(m_free, m_free->next);
  }
  void drop(Node* node) {
    if (!m_pooled) return std::free(node);
    node->next = m_free;
    m_free = node;
  }

  Source m_source;  // of pooled nodes
  bool m_pooled;
  Node* m_first = nullptr;
  Node* m_last = nullptr;
  Node* m_free = nullptr;
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

LabRow nodeRow(const std::string& name, bool pooled, const std::string& phase) {
  LabRow row{.way = name + (pooled ? ", pooled" : ", malloc per node"), .phase = phase};
  row.pages = fmt::format("{} KiB", pageBytes() / 1024);
  row.amount = kCount;
  row.unit = "node";
  return row;
}

// The other two uses of a list, with warm caches.
void addUses(Bench& bench, bool pooled) {
  LabWay way;
  way.phases = {nodeRow("warm", pooled, "in front"), nodeRow("warm", pooled, "queue")};
  way.run = [pooled](LabTurn& turn) -> Result<void> {
    {
      Source first(pooled, false);  // takes the faults
      first.expect(kCount);
      insertInFront(first);
    }
    {
      Source source(pooled, false);
      source.expect(kCount);
      turn.measure([&] { insertInFront(source); });
    }
    Search(pooled).run();
    Search search(pooled);
    turn.measure([&] { return search.run(); });
    return {};
  };
  bench.add(std::move(way));
}

// Both threads insert; the first one frees all.
void insertByTwo(LabTurn& turn, bool pooled, bool sizes) {
  Source mine(pooled, sizes);
  Source others(pooled, sizes);
  mine.expect(kCount);
  others.expect(kCount);
  turn.measure([&] {
    std::thread other([&] { insertAtEnd(others, false); });
    insertAtEnd(mine, false);
    other.join();
  });
}

void addWay(Bench& bench, const Switches& on, bool pooled) {
  LabWay way;
  LabRow row = nodeRow(on.name, pooled, "insert");
  if (on.threads) row.amount *= 2;
  row.alone = !on.threads;
  if (on.name == "warm") row.expectedFaults = 0;  // by the system's malloc
  if (on.name == "warm" && !pooled) row.published = "27 to 32 ns, of which ~20 malloc";
  way.phases = {row};
  way.run = [on, pooled](LabTurn& turn) -> Result<void> {
    std::mt19937 random(1);
    if (const auto grown = growHeapBy(on.grows ? 0 : kUsualGrowth); !grown && on.grows) return grown;
    Others live;
    Others holes;
    if (on.live) live.fill(16 * kMiB, 32, 512, random);
    if (on.fragments) holes.fill(on.fresh ? kMiB / 2 : 4 * kMiB, 16, 1024, random);  // fewer than the nodes need
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
    if (on.threads) return insertByTwo(turn, pooled, on.sizes), Result<void>();
    turn.measure([&] { insertAtEnd(source, on.yields); });
    return {};
  };
  bench.add(std::move(way));
}

// Another malloc is not asked for the ways of a heap of glibc: trimming, brk().
std::vector<Switches> waysOf(const std::string& malloc) {
  const bool system = malloc.empty();
  std::vector<Switches> ways{{.name = "warm"},
                             {.name = "cold caches", .cold = true},
                             {.name = "fragments", .fragments = true},
                             {.name = "sizes", .sizes = true},
                             {.name = "scattered", .scattered = true},
                             {.name = "large heap", .live = true},
                             {.name = "switches", .yields = true},
                             {.name = "two threads", .threads = true},
                             {.name = "all",
                              .fresh = system,
                              .cold = true,
                              .fragments = true,
                              .sizes = true,
                              .scattered = true,
                              .live = true,
                              .yields = true,
                              .grows = system}};
  if (system) {
    ways.insert(ways.begin() + 1, {.name = "fresh heap", .fresh = true});
    ways.insert(ways.end() - 1, {.name = "growing heap", .fresh = true, .grows = true});
  }
  for (Switches& way : ways)
    if (!system) way.name = fmt::format("{}, {}", malloc, way.name == "all" ? "all but a fresh heap" : way.name);
  return ways;
}

}  // namespace

void runNodes(Bench& bench) {
  static_cast<void>(allowLargePages(false));
  for (const Switches& way : waysOf(bench.otherMalloc()))
    for (const bool pooled : {false, true}) addWay(bench, way, pooled);
  if (bench.otherMalloc().empty()) {
    for (const bool pooled : {false, true}) addUses(bench, pooled);
    bench.remark(
        "20 000 nodes are inserted at the end of a list, or in front, and kept; \"queue\" is that of a breadth-first "
        "search. In a fresh heap each first use of a page faults; a growing heap also calls brk() for each page. "
        "\"switches\" sleep by design: compare their CPU time. \"all\" has one thread.");
  }
  bench.run(bench.quick() ? 7 : 25);
}

}  // namespace faultline

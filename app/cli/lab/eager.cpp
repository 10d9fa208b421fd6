// eager: an array of 10 000 000 ints. Phase "prepare" differs; phase "hot" writes and adds every 1000th int, which lies
// on every page once.
#include <climits>
#include <cstdlib>
#include <cstring>

#include "app/cli/lab/experiment.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kInts = 10'000'000;
constexpr std::size_t kStride = 1000;
constexpr std::size_t kBytes = kInts * sizeof(int);

void useHot(int* numbers) {
  volatile int sum = 0;
  for (std::size_t i = 0; i < kInts; i += kStride) {
    numbers[i] = std::rand() & 0xffff;  // its range would overflow the sum
    sum = sum + numbers[i];
  }
}

void fill(int* numbers, int value) {
  for (std::size_t i = 0; i < kInts; ++i) numbers[i] = value;
}

struct Figures {
  std::string prepare{};
  std::string hot{};
};

LabWay way(std::string name, std::string note, const Figures& published) {
  const std::uint64_t pages = (kBytes + pageBytes() - 1) / pageBytes();
  const std::string size = std::to_string(pageBytes() / 1024) + " KiB";
  LabRow prepare{.way = name, .phase = "prepare", .pages = size, .amount = pages, .unit = "page"};
  LabRow hot = prepare;
  prepare.published = published.prepare;
  prepare.note = std::move(note);
  hot.phase = "hot";
  hot.published = published.hot;
  return {.phases = {prepare, hot}, .run = {}};
}

template <class Prepare>
void addHeap(Bench& bench, LabWay added, Prepare prepare) {
  added.run = [prepare](LabTurn& turn) -> Result<void> {
    int* numbers = nullptr;
    turn.measure([&] { numbers = prepare(); });
    if (numbers == nullptr) return fail("There is no memory left.");
    turn.measure([&] { useHot(numbers); });
    std::free(numbers);
    return {};
  };
  bench.add(std::move(added));
}

int* allocate() {
  return hidden(static_cast<int*>(std::malloc(kBytes)));
}

void addMapped(Bench& bench, LabWay added, LabPages pages, std::optional<MemoryAdvice> advice) {
  added.run = [pages, advice](LabTurn& turn) -> Result<void> {
    Result<std::span<std::byte>> memory;
    Result<void> advised;
    turn.measure([&] {
      memory = mapMemory(kBytes, pages);
      if (memory && advice) advised = advise(*memory, *advice);
    });
    if (!memory) return tl::unexpected(memory.error());
    if (advised) turn.measure([&] { useHot(reinterpret_cast<int*>(memory->data())); });
    unmapMemory(*memory);
    return advised;
  };
  bench.add(std::move(added));
}

}  // namespace

void runEager(Bench& bench) {
  static_cast<void>(allowLargePages(false));
  addHeap(bench, way("lazy", "", {"0 faults", "4.556 ms, 9785 faults"}), allocate);
  addHeap(bench, way("sentinel", "", {"9783 faults", "0.189 ms, 2 faults"}), [] {
    int* const numbers = allocate();
    if (numbers != nullptr) fill(numbers, INT_MIN);
    return numbers;
  });
  addHeap(bench, way("zero", "Zeros are written, and the compiler does not see that the memory is new.", {}), [] {
    int* const numbers = allocate();
    if (numbers != nullptr) fill(numbers, 0);
    return numbers;
  });
  addHeap(bench,
          way("zero, seen", "The compiler sees malloc() and memset() together, and may make calloc() of them.", {}),
          [] {
            auto* const numbers = static_cast<int*>(std::malloc(kBytes));
            if (numbers != nullptr) std::memset(numbers, 0, kBytes);
            return hidden(numbers);
          });
  addHeap(bench, way("calloc", "", {}), [] { return hidden(static_cast<int*>(std::calloc(kInts, sizeof(int)))); });
  addMapped(bench, way("lazy mapping", "", {}), LabPages::Small, {});
  addMapped(bench, way("prefetch", "", {"1 fault", "4.169 ms, 9784 faults"}), LabPages::Small, MemoryAdvice::Prefetch);
  addMapped(bench, way("populate", "", {}), LabPages::Populated, {});
  addMapped(bench, way("populate-write", "", {}), LabPages::Small, MemoryAdvice::PopulateWrite);
  addMapped(bench, way("populate-read", "Reading maps the one page of zeros; each write then faults again.", {}),
            LabPages::Small, MemoryAdvice::PopulateRead);
  addMapped(bench, way("lock", "", {}), LabPages::Small, MemoryAdvice::Lock);
  bench.run(bench.quick() ? 5 : 25);
}

}  // namespace faultline

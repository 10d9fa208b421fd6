// serialise: 1, 2, 4 threads, or as many processes, map, touch and release the same amount of memory each, in mappings
// of their own or in parts of one.
#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <thread>

#include "app/cli/lab/experiment.h"
#include "app/cli/lab/work/page_work.h"
#include "platform/host/lab/crew.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kEach = std::size_t{16} << 20U;
constexpr std::size_t kMapping = std::size_t{1} << 20U;

// The memory of one thread: blocks of its own, or its part of the one mapping.
struct Share {
  std::vector<std::span<std::byte>> blocks;
  bool failed = false;

  void map() {
    for (std::span<std::byte>& block : blocks) {
      const auto memory = mapMemory(kMapping);
      failed |= !memory;
      block = memory.value_or(std::span<std::byte>());
    }
  }
  void touch() const {
    for (const std::span<std::byte> block : blocks) touchPages(block);
  }
  void release() const {
    for (const std::span<std::byte> block : blocks)
      if (!block.empty()) unmapMemory(block);
  }
  [[nodiscard]] bool drop() const {
    return std::ranges::all_of(
        blocks, [](std::span<std::byte> block) { return advise(block, MemoryAdvice::Drop).has_value(); });
  }
};

enum class Step { Nothing, Map, Touch, Release, Drop, End };

// Threads that do the same step at the same time, each with its share. They have begun, and have touched their stacks,
// before the first step.
class Crew {
 public:
  explicit Crew(std::vector<Share>& shares) : m_shares(shares), m_begin(size() + 1), m_done(size() + 1) {
    for (Share& share : shares) m_threads.emplace_back([this, &share] { work(share); });
    together(Step::Nothing);
  }
  ~Crew() {
    m_step = Step::End;
    m_begin.arrive_and_wait();
    for (std::thread& thread : m_threads) thread.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void together(Step step) {
    m_step = step;
    m_begin.arrive_and_wait();
    m_done.arrive_and_wait();
  }

 private:
  [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(m_shares.size()); }

  void work(Share& share) {
    for (;;) {
      m_begin.arrive_and_wait();
      if (m_step == Step::End) return;
      if (m_step == Step::Map) share.map();
      if (m_step == Step::Touch) share.touch();
      if (m_step == Step::Release) share.release();
      if (m_step == Step::Drop) share.failed |= !share.drop();
      m_done.arrive_and_wait();
    }
  }

  std::vector<Share>& m_shares;
  std::barrier<> m_begin;
  std::barrier<> m_done;
  Step m_step = Step::Nothing;
  std::vector<std::thread> m_threads;
};

LabWay wayOf(std::size_t threads, const std::string& worker, const std::string& kind,
             std::initializer_list<const char*> phases) {
  LabWay way;
  for (const char* phase : phases) {
    LabRow row{.way = fmt::format("{} {}{}, {}", threads, worker,
                                  threads == 1         ? ""
                                  : worker == "thread" ? "s"
                                                       : "es",
                                  kind),
               .phase = phase};
    row.pages = fmt::format("{} KiB", pageBytes() / 1024);
    row.amount = threads * (kEach / kMapping);
    row.unit = "MiB";
    row.alone = false;
    if (row.phase == "touch" && worker == "thread") row.expectedFaults = threads * (kEach / pageBytes());
    way.phases.push_back(std::move(row));
  }
  return way;
}

void addApart(Bench& bench, std::size_t threads) {
  LabWay way = wayOf(threads, "thread", "own mappings", {"map", "touch", "release"});
  way.run = [threads](LabTurn& turn) -> Result<void> {
    std::vector<Share> shares(threads);
    for (Share& share : shares) share.blocks.resize(kEach / kMapping);
    Crew crew(shares);
    for (const Step step : {Step::Map, Step::Touch, Step::Release}) turn.measure([&] { crew.together(step); });
    if (std::ranges::any_of(shares, &Share::failed)) return fail("Memory could not be mapped.");
    return {};
  };
  bench.add(std::move(way));
}

void addTogether(Bench& bench, std::size_t threads) {
  LabWay way = wayOf(threads, "thread", "one mapping", {"touch", "drop"});
  way.run = [threads](LabTurn& turn) -> Result<void> {
    const auto memory = mapMemory(threads * kEach);
    if (!memory) return tl::unexpected(memory.error());
    std::vector<Share> shares(threads);
    for (std::size_t i = 0; i < threads; ++i) shares[i].blocks = {memory->subspan(i * kEach, kEach)};
    {
      Crew crew(shares);
      for (const Step step : {Step::Touch, Step::Drop}) turn.measure([&] { crew.together(step); });
    }
    unmapMemory(*memory);
    if (std::ranges::any_of(shares, &Share::failed)) return fail("The memory could not be dropped.");
    return {};
  };
  bench.add(std::move(way));
}

// No two of them share an address space, nor its lock.
void addProcesses(Bench& bench, std::size_t processes) {
  LabWay way = wayOf(processes, "process", "own mappings", {"map", "touch", "release"});
  way.run = [processes](LabTurn& turn) -> Result<void> {
    Share share;
    share.blocks.resize(kEach / kMapping);
    auto crew = ProcessCrew::start(processes, [&](std::uint8_t step) {
      if (step == static_cast<std::uint8_t>(Step::Map)) share.map();
      if (step == static_cast<std::uint8_t>(Step::Touch)) share.touch();
      if (step == static_cast<std::uint8_t>(Step::Release)) share.release();
    });
    if (!crew) return tl::unexpected(crew.error());
    for (const Step step : {Step::Map, Step::Touch, Step::Release}) {
      Result<CrewUsage> used;
      turn.measure([&] { used = crew->together(static_cast<std::uint8_t>(step)); });
      if (!used) return tl::unexpected(used.error());
      turn.usage(used->faults, used->processor);
    }
    return {};
  };
  bench.add(std::move(way));
}

}  // namespace

void runSerialise(Bench& bench) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t threads = 1; threads <= (bench.quick() ? 2U : 8U); threads *= 2) {
    addApart(bench, threads);
    addTogether(bench, threads);
    addProcesses(bench, threads);
  }
  bench.remark(
      fmt::format("Each thread has 16 MiB in blocks of 1 MiB; {} processor{}. \"disk\": one thread maps and unmaps 64 "
                  "KiB, alone and while another one reads pages of a file that are not in memory.",
                  processors, processors == 1 ? "" : "s"));
  addHardFaults(bench);
  bench.run(bench.quick() ? 7 : 15);
}

}  // namespace faultline

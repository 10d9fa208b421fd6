// A part of serialise: whether a thread that waits for the disk in a fault holds up the mapping of memory by another.
#include "core/lab/hard_faults.h"

#include <atomic>
#include <thread>

#include "app/cli/lab/experiment.h"
#include "platform/host/lab/cold_file.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

constexpr std::size_t kFile = std::size_t{4} << 20U;
constexpr std::size_t kBlock = std::size_t{64} << 10U;
constexpr std::size_t kPairs = 16;    // of one repetition
constexpr std::size_t kRepeats = 64;  // in a turn

void mapPairs() {
  for (std::size_t i = 0; i < kPairs; ++i)
    if (const auto memory = mapMemory(kBlock)) unmapMemory(*memory);
}

std::byte readPage(const ColdFile& file, std::size_t page) {
  const volatile std::byte* const at = file.memory().data();
  return at[page * pageBytes()];
}

std::size_t pagesOf(const ColdFile& file) {
  return file.memory().size() / pageBytes();
}

LabRow rowOf(std::string_view phase, std::size_t amount, const char* unit) {
  LabRow row{.way = std::string(kHardFaultWay), .phase = std::string(phase), .amount = amount, .unit = unit};
  row.alone = false;  // waits by design
  return row;
}

// Reads cold pages until the end, in a thread of its own.
class DiskReader {
 public:
  explicit DiskReader(ColdFile& file) : m_thread([this, &file] { work(file); }) {
    while (m_pages.load() == 0) std::this_thread::yield();
  }
  ~DiskReader() {
    m_over = true;
    m_thread.join();
  }
  DiskReader(const DiskReader&) = delete;
  DiskReader& operator=(const DiskReader&) = delete;

 private:
  void work(ColdFile& file) {
    for (std::size_t page = 0; !m_over; ++page) {
      if (page % pagesOf(file) == 0) static_cast<void>(file.chill());
      static_cast<void>(readPage(file, page % pagesOf(file)));
      ++m_pages;
    }
  }

  std::atomic<bool> m_over = false;
  std::atomic<std::size_t> m_pages = 0;
  std::thread m_thread;
};

}  // namespace

void addHardFaults(Bench& bench) {
  LabWay way;
  way.phases = {rowOf(kHardFaultAlone, 1, "page"), rowOf(kHardFaultMap, kPairs, "mapping"),
                rowOf(kHardFaultMapBeside, kPairs, "mapping")};
  way.phases.front().expectedFaults = 1;
  way.run = [](LabTurn& turn) -> Result<void> {
    auto file = ColdFile::create(kFile);
    if (!file) return tl::unexpected(file.error());
    turn.measureParts(kRepeats, [&](std::size_t i) { static_cast<void>(readPage(*file, i)); });
    turn.measureParts(kRepeats, [](std::size_t) { mapPairs(); });
    const DiskReader reader(*file);
    turn.measureParts(kRepeats, [](std::size_t) { mapPairs(); });
    return {};
  };
  bench.add(std::move(way));
}

}  // namespace faultline

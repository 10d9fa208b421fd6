// Workloads with known zeroing against the counts of the BPF programs. "Exactly" means to the page: the page tables
// below each mapping exist before, or the test gives their number.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "tests/support/bpf_machine.h"
#include "tests/support/ends_turn.h"
#include "tests/support/huge_pages.h"
#include "tests/support/mapped_pages.h"
#include "tests/support/parent.h"
#include "tests/support/plain.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

constexpr std::size_t kZeroedBytes = 32 << 20;
constexpr std::size_t kZeroedPages = kZeroedBytes / kPage;
constexpr std::size_t kPageTables = kZeroedBytes / kHuge;  // and up to two above them
constexpr const char* kHugePages = "/sys/kernel/mm/transparent_hugepage/";

char* mapPrivate(std::size_t bytes, int flags = 0) {
  return static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
}

// `bytes` aligned to a huge page; small pages unless advised otherwise.
char* mapAligned(std::size_t bytes, int advice = MADV_NOHUGEPAGE) {
  const auto memory = reinterpret_cast<std::uintptr_t>(mapPrivate(bytes + kHuge));
  char* const aligned = reinterpret_cast<char*>((memory + kHuge - 1) / kHuge * kHuge);
  madvise(aligned, bytes, advice);
  return aligned;
}

FAULTLINE_PLAIN void write(char* memory, std::size_t from, std::size_t to, std::size_t step = kPage) {
  for (std::size_t at = from; at < to; at += step) static_cast<volatile char*>(memory)[at] = 1;
}
FAULTLINE_PLAIN void read(const char* memory, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; at += kPage) (void)static_cast<const volatile char*>(memory)[at];
}

// Round 0 touches the first page of each page table, round 1 all others.
constexpr std::size_t kOthers = kZeroedPages - kPageTables;
template <class Touch>
void touchOthers(char* memory, int round, Touch touch) {
  for (std::size_t table = 0; table < kZeroedBytes; table += kHuge)
    touch(memory, table + (round == 0 ? 0 : kPage), table + (round == 0 ? kPage : kHuge));
}

bool clearsAll() {
  return initOnAlloc().value_or(false);
}

struct Zeroed {
  std::uint64_t pages;
  std::uint64_t large;
  std::uint64_t faults;
};

// The counts of a child for round 1 of `work`.
Zeroed zeroedBy(const std::function<void(int)>& work) {
  BpfMachine machine(false);
  machine.require(ProcessMetric::ZeroedBytes);
  Workload child(work);
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  return {.pages = growth(before, after, ProcessMetric::ZeroedBytes) / kPage,
          .large = growth(before, after, ProcessMetric::ZeroedLargeBytes) / kPage,
          .faults = growth(before, after, ProcessMetric::MinorFaults)};
}

// A file of the kernel's settings, restored at the end.
class Setting {
 public:
  Setting(std::string path, const std::string& value) : m_path(std::move(path)) {
    std::getline(std::ifstream(m_path), m_old);
    if (const auto open = m_old.find('['); open != std::string::npos)
      m_old = m_old.substr(open + 1, m_old.find(']') - open - 1);
    set(value);
  }
  ~Setting() { set(m_old); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  [[nodiscard]] std::string now() const {
    std::string text;
    std::getline(std::ifstream(m_path), text);
    return text;
  }

 private:
  void set(const std::string& value) const { std::ofstream(m_path) << value << std::flush; }

  std::string m_path;
  std::string m_old;
};

}  // namespace

TEST_CASE("A written page is zeroed, exactly") {
  char* const memory = mapAligned(kZeroedBytes);
  const Zeroed zeroed = zeroedBy([&](int round) {
    touchOthers(memory, round, [](char* at, std::size_t from, std::size_t to) { write(at, from, to); });
  });
  CHECK(zeroed.pages == kOthers);
  CHECK(zeroed.faults == kOthers);
  CHECK(zeroed.large == 0);
}

TEST_CASE("Reading a page gives the shared zero page: faults, but no zeroing") {
  char* const memory = mapAligned(kZeroedBytes);
  const Zeroed zeroed = zeroedBy([&](int round) {
    touchOthers(memory, round, [](char* at, std::size_t from, std::size_t to) { read(at, from, to); });
  });
  CHECK(zeroed.pages == 0);
  CHECK(zeroed.faults == kOthers);
}

TEST_CASE("Pages populated by MAP_POPULATE are zeroed, and their page tables") {
  const Zeroed zeroed = zeroedBy([](int round) {
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    if (round == 1) mapPrivate(kZeroedBytes, MAP_POPULATE);
  });
  CHECK(zeroed.pages >= kZeroedPages);
  CHECK(zeroed.pages <= kZeroedPages + kPageTables + 3);  // not aligned: one table more, and two above
}

TEST_CASE("Pages populated by MADV_POPULATE_WRITE are zeroed, exactly") {
  char* const memory = mapAligned(kZeroedBytes);
  if (madvise(memory, kPage, MADV_POPULATE_WRITE) != 0) SKIP("this kernel has no MADV_POPULATE_WRITE");
  munmap(memory, kZeroedBytes);
  char* const fresh = mapAligned(kZeroedBytes);
  const Zeroed zeroed = zeroedBy([&](int round) {
    touchOthers(fresh, round,
                [](char* at, std::size_t from, std::size_t to) { madvise(at + from, to - from, MADV_POPULATE_WRITE); });
  });
  CHECK(zeroed.pages == kOthers);
}

TEST_CASE("Transparent huge pages are zeroed as large pages, exactly, with a page table in reserve for each") {
  const HugePagesTurn turn;
  const Setting enabled(std::string(kHugePages) + "enabled", "madvise");
  if (enabled.now().find("[madvise]") == std::string::npos) SKIP("huge pages cannot be switched to madvise here");
  char* const memory = mapAligned(kZeroedBytes, MADV_HUGEPAGE);
  const Zeroed zeroed = zeroedBy([&](int round) {
    if (round == 1) write(memory, 0, kZeroedBytes, kHuge);
  });
  if (zeroed.faults > kPageTables) SKIP("memory is too fragmented for huge pages");
  CHECK(zeroed.large == kZeroedPages);
  CHECK(zeroed.pages - zeroed.large <= kPageTables + 2);
}

TEST_CASE("Large folios smaller than a huge page are zeroed as large pages, exactly") {
  const HugePagesTurn turn;
  const Setting enabled(std::string(kHugePages) + "hugepages-64kB/enabled", "madvise");
  if (enabled.now().find("[madvise]") == std::string::npos) SKIP("this kernel has no large folios of 64 KB");
  const Setting noHuge(std::string(kHugePages) + "hugepages-2048kB/enabled", "never");
  char* const memory = mapAligned(kZeroedBytes, MADV_HUGEPAGE);
  const Zeroed zeroed = zeroedBy([&](int round) {
    if (round == 0) write(memory, 0, kZeroedBytes, kHuge);
    else write(memory, 0, kZeroedBytes);
  });
  // Round 0 took the first folio of each page table.
  constexpr std::size_t kFolio = 16;
  if (zeroed.faults > (kZeroedPages / kFolio) - kPageTables) SKIP("memory is too fragmented for large folios");
  CHECK(zeroed.large == kZeroedPages - kPageTables * kFolio);
  CHECK(zeroed.pages == zeroed.large);
}

TEST_CASE("Copies on write after fork are faults without zeroing") {
  char* const memory = mapAligned(kZeroedBytes);
  write(memory, 0, kZeroedBytes);
  const Zeroed zeroed = zeroedBy([&](int round) {
    touchOthers(memory, round, [](char* at, std::size_t from, std::size_t to) { write(at, from, to); });
  });
  CHECK(zeroed.faults == kOthers);
  CHECK(zeroed.pages == (clearsAll() ? kOthers : 0));
}

TEST_CASE("Shared memory is zeroed page by page, and counted for every kind and every way of touching") {
  const auto shared = [](const char* kind) {
    const std::string_view name = kind;
    const int file = name == "memfd" ? memfd_create("faultline-test", MFD_CLOEXEC) : -1;
    if (file >= 0) REQUIRE(ftruncate(file, kZeroedBytes) == 0);
    auto* const memory = static_cast<char*>(
        mmap(nullptr, kZeroedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0));
    madvise(memory, kZeroedBytes, MADV_NOHUGEPAGE);
    return memory;
  };
  for (const char* kind : {"anonymous", "memfd"}) {
    for (const bool populated : {false, true}) {
      CAPTURE(kind, populated);
      char* memory = nullptr;
      const Zeroed zeroed = zeroedBy([&](int round) {
        if (round == 0) memory = shared(kind);
        else if (populated) madvise(memory, kZeroedBytes, MADV_POPULATE_WRITE);
        else write(memory, 0, kZeroedBytes);
      });
      // Page tables of the mapping, and nodes of the file's tree, which are cleared only if all pages are.
      CHECK(zeroed.pages + 1 >= kZeroedPages);
      CHECK(zeroed.pages <= kZeroedPages + 3 * kPageTables + (clearsAll() ? kZeroedPages / 16 : 0));
    }
  }
}

TEST_CASE("Pages of a file that are read ahead are not zeroed") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("faultline-read-ahead-" + std::to_string(getpid()))).string();
  std::ofstream(path) << std::string(kZeroedBytes, 'x') << std::flush;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::filesystem::remove(path);
  fsync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  const auto* const memory = static_cast<char*>(mmap(nullptr, kZeroedBytes, PROT_READ, MAP_PRIVATE, file, 0));
  REQUIRE(memory != MAP_FAILED);
  const Zeroed zeroed = zeroedBy([&](int round) {
    if (round == 1) read(memory, 0, kZeroedBytes);
  });
  close(file);
  CHECK(zeroed.faults > 0);
  if (!clearsAll()) CHECK(zeroed.pages <= 3 * kPageTables);  // page tables, and pages of the file system
  if (!clearsAll()) CHECK(zeroed.large == 0);
}

TEST_CASE("The zeroing of hugetlb pages is not seen, as Hello says") {
  const HugePagesTurn turn;
  const Setting pool("/proc/sys/vm/nr_hugepages", "2");
  if (pool.now() != "2") SKIP("no pool of huge pages can be made here");
  char* memory = nullptr;
  const Zeroed zeroed = zeroedBy([&](int round) {
    if (round == 0) memory = mapPrivate(2 * kHuge, MAP_HUGETLB);
    write(round == 0 ? mapPrivate(kPage) : memory, 0, round == 0 ? kPage : 2 * kHuge, kHuge);
  });
  CHECK(zeroed.faults == 2);
  CHECK(zeroed.large == 0);
  CHECK(zeroed.pages <= 2);
}

TEST_CASE("A process whose second thread calls exec keeps its zeroed bytes") {
  BpfMachine machine(false);
  machine.require(ProcessMetric::ZeroedBytes);
  char* const memory = mapAligned(kZeroedBytes);
  const Workload child([&](int round) {
    if (round == 0) write(memory, 0, kZeroedBytes);
    else std::thread([] { execlp("sleep", "sleep", "60", nullptr); }).join();
  });
  const ProcessSample before = [&] {
    machine.sweep();
    return *machine.find(child.pid());
  }();
  child.begin();
  const ProcessSample* after = &before;
  for (int patience = 0; patience < 3000 && after->name != "sleep"; ++patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    machine.sweep();
    after = machine.find(child.pid());
    REQUIRE(after != nullptr);
  }
  CHECK(after->name == "sleep");
  CHECK(after->key == before.key);
  // The pages of starting a program, but not the earlier pages a second time.
  const std::uint64_t more = growth(before.values, after->values, ProcessMetric::ZeroedBytes) / kPage;
  CHECK(more >= 10);
  if (!kThreadSanitizer && !clearsAll()) CHECK(more <= 500);
}

TEST_CASE("A thousand short-lived processes are all reported with their totals", "[slow]") {
  constexpr std::size_t kChildren = 1000;
  constexpr std::size_t kTouched = 100;
  const EndsTurn turn;
  Parent parent;
  BpfMachine machine(false);
  machine.require(ProcessMetric::ZeroedBytes);
  machine.sweep();
  parent.have(kChildren, kTouched);
  machine.sweep();

  std::size_t found = 0;
  std::size_t wrongFaults = 0;
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  for (const ProcessSample& process : machine.snapshot.exited) {
    if (process.values.get(ProcessMetric::ParentPid) != parent.pid()) continue;
    ++found;
    if (process.values.get(ProcessMetric::MinorFaults) != parent.faultsOf(process.key.pid)) ++wrongFaults;
    const std::uint64_t zeroed = process.values.get(ProcessMetric::ZeroedBytes).value_or(0) / kPage;
    least = std::min(least, zeroed);
    most = std::max(most, zeroed);
  }
  CHECK(found == kChildren);
  CHECK(wrongFaults == 0);
  CHECK(machine.snapshot.system.get(SystemMetric::LostExits) == 0U);
  WARN("each zeroed " << kTouched << " pages of its own and " << least - kTouched << " to " << most - kTouched
                      << " page tables and the like");
  const auto skipped = machine.snapshot.system.get(SystemMetric::SkippedRuns);
  const Hello hello = machine.sampler->hello();
  REQUIRE(skipped.has_value() == (hello.quality(SystemMetric::SkippedRuns).grade == Grade::Exact));
  const std::string how = hello.quality(ProcessMetric::ZeroedBytes).how;
  CHECK((how.find("a lower bound: the kernel skips") != std::string::npos) == (skipped.value_or(0) > 0));
  if (skipped.value_or(0) == 0) CHECK(least >= kTouched);
  if (!kThreadSanitizer) CHECK(most <= kTouched + (clearsAll() ? 40 : 10));
}

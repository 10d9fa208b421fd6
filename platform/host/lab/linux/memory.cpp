#include "platform/host/lab/memory.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string>

#include "core/base/file_text.h"
#include "core/parse/meminfo.h"
#include "platform/host/lab/linux/refused.h"

namespace faultline {
namespace {

// Older headers lack these; the kernel refuses them with EINVAL before 5.4 and 5.14.
constexpr int kCold = 20;
constexpr int kPageOut = 21;
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;

Result<void> advised(std::span<std::byte> memory, int advice, const std::string& name) {
  if (madvise(memory.data(), memory.size(), advice) != 0) return refused("madvise(" + name + ")");
  return {};
}

std::byte* map(std::size_t bytes, int flags = 0) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

// "always [madvise] never" -> "madvise"; empty: there is no such file.
std::string chosen(const std::string& file) {
  const std::string words = fileText(file).value_or("");
  const std::size_t begin = words.find('[');
  const std::size_t end = words.find(']');
  return begin == std::string::npos || end == std::string::npos ? "" : words.substr(begin + 1, end - begin - 1);
}

bool switchedOff(const std::string& file) {
  return chosen(file) == "never";
}

constexpr const char* kLargePages = "/sys/kernel/mm/transparent_hugepage";

// Maps more, and gives back what lies before and after the aligned part.
Result<std::span<std::byte>> mapLarge(std::size_t bytes, std::size_t page) {
  const std::string own = fmt::format("{}/hugepages-{}kB/enabled", kLargePages, page / 1024);
  const std::string all = std::string(kLargePages) + "/enabled";
  for (const std::string& file : {own, all})
    if (switchedOff(file) && (file == own || chosen(own) == "inherit" || page == kLargePage))
      return fail("Such pages are switched off in " + file + ".");
  const std::size_t size = (bytes + page - 1) / page * page;
  std::byte* const whole = map(size + page);
  if (whole == nullptr) return refused("mmap");
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(whole) % page) % page;
  if (before > 0) munmap(whole, before);
  if (before < page) munmap(whole + before + size, page - before);
  const std::span<std::byte> memory(whole + before, size);
  if (const auto large = advised(memory, MADV_HUGEPAGE, "MADV_HUGEPAGE"); !large) {
    unmapMemory(memory);
    return tl::unexpected(large.error());
  }
  return memory;
}

}  // namespace

Result<std::span<std::byte>> mapMemory(std::size_t bytes, LabPages pages) {
  if (pages == LabPages::Large) return mapLarge(bytes, kLargePage);
  const int flags = pages == LabPages::Populated ? MAP_POPULATE : pages == LabPages::Reserved ? MAP_HUGETLB : 0;
  std::byte* const at = map(bytes, flags);
  if (at == nullptr) return refused(pages == LabPages::Reserved ? "mmap (see vm.nr_hugepages)" : "mmap");
  const std::span<std::byte> memory(at, bytes);
  static_cast<void>(advised(memory, MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE"));  // refused where there are no large pages
  return memory;
}

std::vector<std::size_t> mediumPages() {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 2 * pageBytes(); size < kLargePage; size *= 2)
    if (!chosen(fmt::format("{}/hugepages-{}kB/enabled", kLargePages, size / 1024)).empty()) sizes.push_back(size);
  return sizes;
}

Result<std::span<std::byte>> mapMedium(std::size_t bytes, std::size_t page) {
  return mapLarge(bytes, page);
}

void unmapMemory(std::span<std::byte> memory) {
  munmap(memory.data(), memory.size());
}

Result<void> advise(std::span<std::byte> memory, MemoryAdvice advice) {
  switch (advice) {
    case MemoryAdvice::Prefetch:
      return advised(memory, MADV_WILLNEED, "MADV_WILLNEED");
    case MemoryAdvice::PopulateRead:
      return advised(memory, kPopulateRead, "MADV_POPULATE_READ");
    case MemoryAdvice::PopulateWrite:
      return advised(memory, kPopulateWrite, "MADV_POPULATE_WRITE");
    case MemoryAdvice::Drop:
      return advised(memory, MADV_DONTNEED, "MADV_DONTNEED");
    case MemoryAdvice::Free:
      return advised(memory, MADV_FREE, "MADV_FREE");
    case MemoryAdvice::Cold:
      return advised(memory, kCold, "MADV_COLD");
    case MemoryAdvice::PageOut:
      return advised(memory, kPageOut, "MADV_PAGEOUT");
    case MemoryAdvice::Lock:
      break;
  }
  if (mlock(memory.data(), memory.size()) != 0) return refused("mlock (see RLIMIT_MEMLOCK)");
  return {};
}

Result<void> allowLargePages(bool allowed) {
  if (prctl(PR_SET_THP_DISABLE, allowed ? 0 : 1, 0, 0, 0) != 0) return refused("prctl(PR_SET_THP_DISABLE)");
  return {};
}

Result<void> fixHeapThreshold(std::size_t bytes) {
  if (mallopt(M_MMAP_THRESHOLD, static_cast<int>(bytes)) == 0) return fail("malloc() does not take a threshold.");
  return {};
}

Result<void> growHeapBy(std::size_t bytes) {
  if (mallopt(M_TOP_PAD, static_cast<int>(bytes)) == 0) return fail("malloc() does not take a growth.");
  return {};
}

void trimHeap() {
  malloc_trim(0);
}

std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::optional<std::uint64_t> availableMemory() {
  return parseMemInfo(fileText("/proc/meminfo").value_or("")).available;
}

}  // namespace faultline

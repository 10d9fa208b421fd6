// libfaultline-heap.so, which `faultline-cli try` adds to a program by LD_PRELOAD. FAULTLINE_HEAP tells what it does to
// so many bytes of the heap when the program starts: "populate=BYTES" faults them in, "advise=BYTES" advises them for
// huge pages, and after that each mapping of 2 MiB or more that the program makes. The block is freed again: malloc
// must keep it (glibc.malloc.trim_threshold). Needs the C library alone, and runs on 64-bit systems, where the offset
// of mmap() needs no conversion.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, from Linux 5.14 on

bool advising = false;  // written before main(): mmap() of other threads only reads it

// The number after `name`; 0: there is none.
std::size_t amountAfter(const char* name) {
  const char* const text = std::getenv("FAULTLINE_HEAP");
  const std::size_t length = std::strlen(name);
  if (text == nullptr || std::strncmp(text, name, length) != 0) return 0;
  return std::strtoull(text + length, nullptr, 10);
}

void complain(const char* sentence) {
  static_cast<void>(!write(STDERR_FILENO, sentence, std::strlen(sentence)));
}

void populate(char* begin, std::size_t bytes, std::size_t page) {
  if (madvise(begin, bytes, kPopulateWrite) == 0) return;
  for (std::size_t at = 0; at < bytes; at += page) *const_cast<volatile char*>(begin + at) = 0;
}

void* mapped(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  const long got = syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
  auto* const memory = reinterpret_cast<void*>(got);
  constexpr int kOther = MAP_SHARED | MAP_STACK | MAP_HUGETLB | MAP_GROWSDOWN;
  const bool suits = bytes >= kHugePage && (flags & MAP_ANONYMOUS) != 0 && (flags & kOther) == 0;
  if (!advising || !suits || memory == MAP_FAILED || (protection & PROT_EXEC) != 0) return memory;
  const int kept = errno;
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
  errno = kept;
  return memory;
}

}  // namespace

extern "C" {

__attribute__((constructor)) void faultlinePrepareHeap() {
  const std::size_t populated = amountAfter("populate=");
  const std::size_t advised = amountAfter("advise=");
  const std::size_t bytes = populated > 0 ? populated : advised;
  if (bytes == 0) return;
  void* const block = std::malloc(bytes);
  if (block == nullptr) return complain("faultline: the heap cannot be prepared: too little memory.\n");
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(block) % page) % page;
  char* const begin = static_cast<char*>(block) + skipped;
  const std::size_t whole = bytes > skipped ? (bytes - skipped) / page * page : 0;
  if (populated > 0) populate(begin, whole, page);
  else static_cast<void>(madvise(begin, whole, MADV_HUGEPAGE));
  std::free(block);
  advising = populated == 0;
}

__attribute__((visibility("default"))) void* mmap(void* address, std::size_t bytes, int protection, int flags, int file,
                                                  off_t offset) noexcept {
  return mapped(address, bytes, protection, flags, file, offset);
}
__attribute__((visibility("default"))) void* mmap64(void* address, std::size_t bytes, int protection, int flags,
                                                    int file, off_t offset) noexcept {
  return mapped(address, bytes, protection, flags, file, offset);
}

}  // extern "C"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/guard_page.h"

namespace faultline::test {
namespace {

std::size_t pageSize() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

GuardedMemory mapGuarded(std::size_t atLeast) {
  const std::size_t page = pageSize();
  const std::size_t readable = (atLeast + page - 1) / page * page;
  void* const memory = mmap(nullptr, readable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  char* const begin = static_cast<char*>(memory);
  if (mprotect(begin + readable, page, PROT_NONE) != 0) std::abort();
  return {begin, begin + readable};
}

void unmapGuarded(const GuardedMemory& memory) {
  munmap(memory.begin, static_cast<std::size_t>(memory.guard - memory.begin) + pageSize());
}

}  // namespace faultline::test

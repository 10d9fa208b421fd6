#include <windows.h>

#include <cstdlib>

#include "tests/support/guard_page.h"

namespace faultline::test {

GuardedMemory mapGuarded(std::size_t atLeast) {
  constexpr std::size_t kPage = 4096;
  const std::size_t readable = (atLeast + kPage - 1) / kPage * kPage;
  void* const memory = VirtualAlloc(nullptr, readable + kPage, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) std::abort();
  char* const begin = static_cast<char*>(memory);
  DWORD before = 0;
  if (VirtualProtect(begin + readable, kPage, PAGE_NOACCESS, &before) == 0) std::abort();
  return {begin, begin + readable};
}

void unmapGuarded(const GuardedMemory& memory) {
  VirtualFree(memory.begin, 0, MEM_RELEASE);
}

}  // namespace faultline::test

// A game whose names take long to read. Each frame touches fresh pages. Usage: hostile_game map|name|FILE
//   map:   from generated code, with a map for perf of 64 MiB that has no line's end
//   name:  from a function whose C++ name has 600 000 letters
//   FILE:  the same, and FILE is mapped as code
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "resources/faultline_frame.h"

#define TEN(text) text text text text text text text text text text
#define SIX(text) text text text text text text
#define LETTERS SIX(TEN(TEN(TEN(TEN(TEN("x"))))))
extern "C" void touchByLongName(char* from, const char* end) __asm__("_Z600000" LETTERS "v");

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBytes = 512 * kPage;

std::string g_map;

#ifdef __x86_64__
constexpr unsigned char kCode[] = {0xc6, 0x07, 0x01,                          // movb $1, (%rdi)
                                   0x48, 0x81, 0xc7, 0x00, 0x10, 0x00, 0x00,  // add $4096, %rdi
                                   0x48, 0x39, 0xf7,                          // cmp %rsi, %rdi
                                   0x72, 0xf1,                                // jb to the first
                                   0xc3};                                     // ret
#else
constexpr unsigned kCode[] = {0x39000000, 0x91400400, 0xeb01001f, 0x54ffffa3, 0xd65f03c0};  // the same for arm64
#endif

void* fresh(std::size_t bytes, int rights) {
  return mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

auto generateCode() {
  void* const code = fresh(kPage, PROT_READ | PROT_WRITE);
  std::memcpy(code, kCode, sizeof kCode);
  mprotect(code, kPage, PROT_READ | PROT_EXEC);
  __builtin___clear_cache(static_cast<char*>(code), static_cast<char*>(code) + sizeof kCode);
  g_map = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  const int map = open(g_map.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  static_cast<void>(ftruncate(map, off_t{64} << 20));
  close(map);
  return reinterpret_cast<void (*)(char*, const char*)>(code);
}

}  // namespace

__attribute__((noinline)) void touchByLongName(char* from, const char* end) {
  for (; from < end; from += kPage) *static_cast<volatile char*>(from) = 1;
}

int main(int, char** arguments) {
  const std::string how = arguments[1];
  const auto touch = how == "map" ? generateCode() : touchByLongName;
  if (how.starts_with('.') || how.starts_with('/'))
    mmap(nullptr, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(how.c_str(), O_RDONLY), 0);
  for (int frame = 0; frame < 20'000; ++frame) {
    auto* const memory = static_cast<char*>(fresh(kBytes, PROT_READ | PROT_WRITE));
    touch(memory, memory + kBytes);
    munmap(memory, kBytes);
    faultline_frame("hostile");
    usleep(5000);
  }
}

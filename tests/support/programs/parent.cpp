// Has children one after the other, each of which touches fresh pages and ends. A request on standard input is two
// 32-bit numbers, children and pages of each; the answer on standard output is a pair for each child, its pid and its
// minor faults. Built without sanitizers, whose memory makes a fork twenty times slower.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace {

constexpr std::size_t kPage = 4096;

std::array<std::uint32_t, 2> haveChild(char* memory, std::uint32_t pages) {
  const pid_t child = fork();
  if (child == 0) {
    for (std::size_t at = 0; at < pages * kPage; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
    _exit(0);
  }
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  return {static_cast<std::uint32_t>(child), static_cast<std::uint32_t>(usage.ru_minflt)};
}

}  // namespace

int main() {
  std::array<std::uint32_t, 2> request{};
  while (read(STDIN_FILENO, request.data(), sizeof request) == sizeof request) {
    const auto [children, pages] = request;
    void* const memory = mmap(nullptr, (pages + 1) * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, pages * kPage, MADV_NOHUGEPAGE);
    for (std::uint32_t i = 0; i < children; ++i) {
      const auto answer = haveChild(static_cast<char*>(memory), pages);
      if (write(STDOUT_FILENO, answer.data(), sizeof answer) != sizeof answer) return 1;
    }
    munmap(memory, (pages + 1) * kPage);
  }
  return 0;
}

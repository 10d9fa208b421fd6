#include "platform/sampling/linux/facts/kernel_symbols.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace faultline {

KernelSymbols readKernelSymbols(std::span<const std::string_view> names, const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {.functions = {}, .error = errno};
  KallsymsSearch search(names);
  std::array<char, 8192> piece{};  // the kernel returns at most a page at once
  ssize_t size = 0;
  while ((size = read(file, piece.data(), piece.size())) > 0)
    search.feed({piece.data(), static_cast<std::size_t>(size)});
  const int error = size < 0 ? errno : 0;
  close(file);
  return {.functions = search.found(), .error = error, .hidden = search.hidden()};
}

}  // namespace faultline

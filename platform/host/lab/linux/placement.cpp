#include "platform/host/lab/placement.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "core/base/file_text.h"

namespace faultline {
namespace {

constexpr std::array kPlacements{Placement{.name = "by the kernel"}, Placement{.name = "by hint", .second = true},
                                 Placement{.name = "by the kernel, mergeable", .merged = true}};
constexpr std::uintptr_t kFirstHint = std::uintptr_t{1} << 40U;

}  // namespace

std::span<const Placement> placements() {
  return kPlacements;
}

Result<std::span<std::byte>> place(const Placement& placement, std::size_t index, std::size_t bytes) {
  const int protection = placement.merged || index % 2 == 0 ? PROT_READ | PROT_WRITE : PROT_READ;
  void* const hint = placement.second ? reinterpret_cast<void*>(kFirstHint + index * bytes) : nullptr;
  void* const at = mmap(hint, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return fail("mmap: " + std::generic_category().message(errno) + ".");
  return std::span(static_cast<std::byte*>(at), bytes);
}

std::optional<std::size_t> mappingCount() {
  const auto maps = fileText("/proc/self/maps");
  if (!maps) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::count(*maps, '\n'));
}

std::optional<std::size_t> mappingLimit() {
  std::ifstream file("/proc/sys/vm/max_map_count");
  std::size_t limit = 0;
  if (!(file >> limit)) return std::nullopt;
  return limit;
}

}  // namespace faultline

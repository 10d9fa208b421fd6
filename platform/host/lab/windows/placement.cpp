#include "platform/host/lab/placement.h"

#include <array>

#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr std::array kPlacements{Placement{.name = "bottom-up"}, Placement{.name = "top-down", .second = true}};

}  // namespace

std::span<const Placement> placements() {
  return kPlacements;
}

Result<std::span<std::byte>> place(const Placement& placement, std::size_t /*index*/, std::size_t bytes) {
  const DWORD top = placement.second ? MEM_TOP_DOWN : 0;
  void* const at = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | top, PAGE_READWRITE);
  if (at == nullptr) return fail("VirtualAlloc: " + reasonOf(::GetLastError()) + ".");
  return std::span(static_cast<std::byte*>(at), bytes);
}

std::optional<std::size_t> mappingCount() {
  return std::nullopt;
}

std::optional<std::size_t> mappingLimit() {
  return std::nullopt;
}

}  // namespace faultline

// Many mappings that the system cannot merge, for the lab.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

struct Placement {
  std::string_view name;
  bool second = false;  // the other of the system's two ways to find a place
  bool merged = false;  // equal neighbours, which the system may merge
};

[[nodiscard]] std::span<const Placement> placements();
// Mapping number `index` of a row; never touched. Windows reserves its addresses alone.
[[nodiscard]] Result<std::span<std::byte>> place(const Placement& placement, std::size_t index, std::size_t bytes);
// The mappings of this process, and the most that it may have; absent: not counted, no limit.
[[nodiscard]] std::optional<std::size_t> mappingCount();
[[nodiscard]] std::optional<std::size_t> mappingLimit();

}  // namespace faultline

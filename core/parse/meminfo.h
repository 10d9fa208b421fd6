// /proc/meminfo, converted to bytes. Pure. A value whose line is missing or cut is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct MemInfo {
  std::optional<std::uint64_t> total;
  std::optional<std::uint64_t> free;
  std::optional<std::uint64_t> available;
  std::optional<std::uint64_t> swapTotal;
  std::optional<std::uint64_t> commitLimit;
  std::optional<std::uint64_t> committed;

  bool operator==(const MemInfo&) const = default;
};

[[nodiscard]] MemInfo parseMemInfo(std::string_view text);

}  // namespace faultline

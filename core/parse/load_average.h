// /proc/loadavg, such as "0.20 0.18 0.12 2/80 11206". Source: proc_loadavg(5). Pure.
#pragma once

#include <optional>
#include <string_view>

#include "core/parse/number.h"

namespace faultline {

// The number of threads that run or wait for a processor at this moment, the reader's among them. Absent: not told.
[[nodiscard]] inline std::optional<std::uint64_t> parseRunnable(std::string_view text) {
  for (int field = 0; field < 3; ++field) {
    const std::size_t end = text.find(' ');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  const auto runnable = takeNumber(text);
  return runnable && text.starts_with('/') ? runnable : std::nullopt;
}

}  // namespace faultline

// Median; absent if there are no values. Of an even count, the upper of the two middle values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace faultline {

template <class T>
[[nodiscard]] std::optional<T> median(std::vector<T> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace faultline

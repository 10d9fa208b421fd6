// Names shared by CSV and JSON: of gaps and of counters' rates.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/history/rates.h"
#include "core/model/metric.h"

namespace faultline {

[[nodiscard]] constexpr std::string_view gapName(Gap gap) {
  constexpr std::array<std::string_view, 5> kNames{"none", "first", "suspended", "late", "backwards"};
  return kNames.at(static_cast<std::size_t>(gap));
}

[[nodiscard]] inline std::string rateName(std::string_view name) {
  return std::string(name) + "_per_s";
}

}  // namespace faultline

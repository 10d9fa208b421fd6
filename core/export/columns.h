// Names shared by CSV and JSON: of gaps and of counters' rates.
#pragma once

#include <string>
#include <string_view>

#include "core/history/rates.h"
#include "core/model/metric.h"

namespace faultline {

[[nodiscard]] constexpr std::string_view gapName(Gap gap) {
  switch (gap) {
    case Gap::None:
      return "none";
    case Gap::First:
      return "first";
    case Gap::Suspended:
      return "suspended";
    case Gap::Late:
      return "late";
    case Gap::Backwards:
      return "backwards";
  }
  return "none";
}

[[nodiscard]] inline std::string rateName(std::string_view name) {
  return std::string(name) + "_per_s";
}

}  // namespace faultline

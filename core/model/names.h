// Names of the model's enumerators in the stream and in exports.
#pragma once

#include <string_view>

#include "core/model/hello.h"
#include "core/model/metric.h"

namespace faultline {

[[nodiscard]] std::string_view kindName(MetricKind kind);  // "counter", "gauge"
[[nodiscard]] std::string_view unitName(Unit unit);        // "count", "bytes", "ns"
[[nodiscard]] std::string_view gradeName(Grade grade);     // "exact", "estimated", "unavailable"
[[nodiscard]] std::string_view gradeMark(Grade grade);     // "✓", "≈", "–": for people
[[nodiscard]] Grade gradeNamed(std::string_view name);     // Unavailable for unknown names

}  // namespace faultline

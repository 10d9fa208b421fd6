// The enumerators of the model as the stream and the exports spell them.
#pragma once

#include <string_view>

#include "core/model/hello.h"
#include "core/model/metric.h"

namespace faultline {

[[nodiscard]] std::string_view kindName(MetricKind kind);  // "counter", "gauge"
[[nodiscard]] std::string_view unitName(Unit unit);        // "count", "bytes", "ns"
[[nodiscard]] std::string_view gradeName(Grade grade);     // "exact", "estimated", "unavailable"
[[nodiscard]] std::string_view gradeMark(Grade grade);     // "✓", "≈", "–": for people
[[nodiscard]] Grade gradeNamed(std::string_view name);     // what is none of these is unavailable

}  // namespace faultline

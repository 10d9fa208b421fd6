// The CSV of some processes at the present, or at an instant of the past as History keeps it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

[[nodiscard]] std::string csvOf(const Monitor& monitor, const std::vector<ProcessKey>& keys,
                                std::optional<MonotonicTime> instant);

}  // namespace faultline

// The CSV of some processes, now or, by the values that History keeps, at an instant of the past.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

[[nodiscard]] std::string csvOf(const Monitor& monitor, const std::vector<ProcessKey>& keys,
                                std::optional<MonotonicTime> instant);

}  // namespace faultline

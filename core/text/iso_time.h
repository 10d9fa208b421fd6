// Wall time as ISO 8601 in UTC with nanoseconds: "2026-11-21T01:15:56.123456789Z".
#pragma once

#include <string>

#include "core/base/units.h"

namespace faultline {

[[nodiscard]] std::string isoTime(WallTime time);

}  // namespace faultline

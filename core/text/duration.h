// Durations as a user types them: "500ms", "2s", "1.5 min", "1h". The unit is required.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

// Error: not a duration, negative, or over 1000 hours; the message quotes the text and shows a valid one.
[[nodiscard]] Result<Nanoseconds> parseDuration(std::string_view text);
// The shortest text that parseDuration() reads back exactly: "500ms", "90s".
[[nodiscard]] std::string durationText(Nanoseconds duration);

}  // namespace faultline

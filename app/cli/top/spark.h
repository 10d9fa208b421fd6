// A sparkline of fault rates in block characters.
#pragma once

#include <string>
#include <vector>

#include "core/history/history.h"

namespace faultline {

// `width` columns over [from, to]; each shows its highest sample. All rows share one fixed logarithmic scale: one
// eighth is one fault per second, each further eighth about seven times as many.
[[nodiscard]] std::string spark(const std::vector<Bucket>& buckets, MonotonicTime from, MonotonicTime to, int width);

}  // namespace faultline

// A sparkline of fault rates in block characters.
#pragma once

#include <string>
#include <vector>

#include "core/history/history.h"

namespace faultline {

// `width` columns over [from, to]; each shows its highest sample. The scale is logarithmic and the same for everyone:
// an eighth is one fault a second, each further eighth about seven times more, so rows compare and nothing jumps.
[[nodiscard]] std::string spark(const std::vector<Bucket>& buckets, MonotonicTime from, MonotonicTime to, int width);

}  // namespace faultline

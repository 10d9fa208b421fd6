// If too many processes end at once to name them all, one sample in a snapshot's `exited` stands for several children
// of one parent, with the sums of their counters. This is its name; no living process has its key.
#pragma once

#include <string_view>

namespace faultline {

inline constexpr std::string_view kUnnamedEnded = "[ended unnamed]";

}  // namespace faultline

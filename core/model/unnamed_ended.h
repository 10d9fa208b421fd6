// When too many processes end at once to name them all, one sample among a snapshot's `exited` stands for several of
// one parent, with the sums of their counters. It has this name, and a key that no living process has.
#pragma once

#include <string_view>

namespace faultline {

inline constexpr std::string_view kUnnamedEnded = "[ended unnamed]";

}  // namespace faultline

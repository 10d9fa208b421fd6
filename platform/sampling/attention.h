// Attention: whether the numbers are on show. The parent process writes '+' (yes) or '-' (no) to this program's
// standard input. The answer is yes at the start, and again after the input has ended.
#pragma once

#include <functional>

namespace faultline {

// The returned function reads standard input at most once per call and never blocks.
[[nodiscard]] std::function<bool()> listenForAttention();

}  // namespace faultline

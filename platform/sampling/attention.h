// Attention: whether somebody looks at the numbers, as whoever started this program tells on its standard input:
// '+' somebody does, '-' nobody does. Somebody does until told otherwise, and again once that input has ended.
#pragma once

#include <functional>

namespace faultline {

// Asks without waiting, at most one read a call.
[[nodiscard]] std::function<bool()> listenForAttention();

}  // namespace faultline

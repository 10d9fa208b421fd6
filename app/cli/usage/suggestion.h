// The command or option that a mistyped word may mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// Letters to insert, remove, replace or exchange with their neighbour, to get from one word to the other.
[[nodiscard]] std::size_t distance(std::string_view word, std::string_view other);
// The name that is nearest to the word; empty if none is near: a third of its letters differ, or it has less than
// three.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace faultline

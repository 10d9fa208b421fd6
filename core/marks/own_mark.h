// preferredMark(): which of a game's own marks ends the frames that a player sees. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace faultline {

// The index of the first name that speaks of pictures, such as "render" or "Main frame"; else of the first name that is
// not empty; absent if there is none. `names`: in the order in which the game has set its marks.
[[nodiscard]] std::optional<std::size_t> preferredMark(std::span<const std::string> names);

}  // namespace faultline

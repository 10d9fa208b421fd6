// Tells system code from a game's own code by its path.
#pragma once

#include <string_view>

namespace faultline {

// A library of the distribution, such as "/usr/lib/x86_64-linux-gnu/libc.so.6". Do not ask about the program file
// itself.
[[nodiscard]] bool isSystemModule(std::string_view path);
// A system header whose functions are compiled into the game: "/usr/include/c++/12/bits/stl_vector.h".
[[nodiscard]] bool isSystemSource(std::string_view path);

}  // namespace faultline

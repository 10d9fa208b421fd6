// What of a game's code is not the game's own, told by where it lies.
#pragma once

#include <string_view>

namespace faultline {

// A library of the distribution: "/usr/lib/x86_64-linux-gnu/libc.so.6". The program itself never is, wherever it lies.
[[nodiscard]] bool isSystemModule(std::string_view path);
// A header of the system's, whose functions are compiled into the game: "/usr/include/c++/12/bits/stl_vector.h".
[[nodiscard]] bool isSystemSource(std::string_view path);

}  // namespace faultline

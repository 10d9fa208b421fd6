// Whether a function begins at a place of a program's or library's file, as its tables of symbols say (elf(5)).
#pragma once

#include <cstdint>

namespace faultline {

// False as well where the file has no such table, or makes no sense. Reads what it must, at once nothing larger than a
// page.
[[nodiscard]] bool beginsFunction(int file, std::uint64_t offset);

}  // namespace faultline

// Tells whether a function begins at a byte of a program or library, by the file's symbol tables (elf(5)) and
// its table of unwind rules, which a stripped file keeps.
#pragma once

#include <cstdint>

namespace faultline {

// Also false if the file has none of these tables, or is malformed. Reads as little as possible, at most a page at
// once.
[[nodiscard]] bool beginsFunction(int file, std::uint64_t offset);

}  // namespace faultline

// UTF-16 as Windows' kernel has it, little-endian, to the bytes of a name. Nothing is lost: half a surrogate pair
// becomes the three bytes that UTF-8 would have for it (WTF-8), NUL becomes C0 80. Neither is UTF-8, so both are shown
// as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace faultline {

// An odd last byte is left out.
void appendUtf16(std::span<const std::byte> text, std::string& out);

}  // namespace faultline

// Converts a name in UTF-16 (little-endian, as the Windows kernel stores it) to bytes, without loss: an unpaired
// surrogate becomes its three bytes in WTF-8, NUL becomes C0 80. Both are invalid UTF-8, so views show them as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace faultline {

// Ignores an odd last byte.
void appendUtf16(std::span<const std::byte> text, std::string& out);

}  // namespace faultline

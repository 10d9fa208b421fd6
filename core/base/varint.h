// Integers of variable length: seven bits per byte, low ones first; the top bit means that more bytes follow. Signed
// ones are zigzag: small numbers of either sign take few bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace faultline {

inline void putVarint(std::uint64_t value, std::vector<std::uint8_t>& out) {
  for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out.push_back(static_cast<std::uint8_t>(value));
}

inline void putSignedVarint(std::int64_t value, std::vector<std::uint8_t>& out) {
  putVarint((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63), out);
}

// Removes the integer from the front of `bytes`. If they end within it, the rest of it is zero; bits beyond the 64th
// are ignored.
inline std::uint64_t takeVarint(std::span<const std::uint8_t>& bytes) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (unsigned shift = 0; i < bytes.size(); shift += 7) {
    const std::uint8_t byte = bytes[i++];
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) break;
  }
  bytes = bytes.subspan(i);
  return value;
}

inline std::int64_t takeSignedVarint(std::span<const std::uint8_t>& bytes) {
  const std::uint64_t value = takeVarint(bytes);
  return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
}

}  // namespace faultline

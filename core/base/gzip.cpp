#include "core/base/gzip.h"

#include <algorithm>
#include <cstdint>

namespace faultline {
namespace {

constexpr std::size_t kMostOfBlock = 0xFFFF;

void appendLittle(std::uint32_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::uint32_t crc32Of(std::string_view bytes) {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
  }
  return ~crc;
}

}  // namespace

// The header: magic, method, no flags, no time, no level, an unknown system. Each block has its length twice.
std::string gzipOf(std::string_view bytes) {
  std::string out("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
  std::string_view left = bytes;
  do {
    const std::string_view block = left.substr(0, kMostOfBlock);
    left.remove_prefix(block.size());
    const auto size = static_cast<std::uint32_t>(block.size());
    appendLittle(left.empty() ? 1U : 0U, 1, out);
    appendLittle(size, 2, out);
    appendLittle(~size, 2, out);
    out += block;
  } while (!left.empty());
  appendLittle(crc32Of(bytes), 4, out);
  appendLittle(static_cast<std::uint32_t>(bytes.size()), 4, out);
  return out;
}

}  // namespace faultline

#include "core/stream/wire.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace faultline::wire {
namespace {

void store(std::uint32_t value, std::span<std::byte> out) {
  for (std::byte& byte : out) {
    byte = static_cast<std::byte>(value & 0xFFU);
    value >>= 8U;
  }
}

std::uint32_t load(std::span<const std::byte> in) {
  std::uint32_t value = 0;
  for (std::size_t i = in.size(); i-- > 0;) value = (value << 8U) | std::to_integer<std::uint32_t>(in[i]);
  return value;
}

std::uint32_t headerCheck(std::span<const std::byte> header) {
  return checksum(header.subspan(4)) & 0xFFFFU;
}

}  // namespace

std::uint32_t checksum(std::span<const std::byte> bytes) {
  return XXH32(bytes.data(), bytes.size(), 0);
}

std::array<std::byte, kHeaderSize> packHeader(Kind kind, std::span<const std::byte> payload) {
  std::array<std::byte, kHeaderSize> header{kMarker[0], kMarker[1]};
  const std::span out(header);
  store(static_cast<std::uint32_t>(kind), out.subspan(4, 1));
  store(static_cast<std::uint32_t>(payload.size()), out.subspan(5, 3));
  store(checksum(payload), out.subspan(8, 4));
  store(headerCheck(out), out.subspan(2, 2));
  return header;
}

std::optional<Header> parseHeader(std::span<const std::byte, kHeaderSize> bytes) {
  if (bytes[0] != kMarker[0] || bytes[1] != kMarker[1]) return std::nullopt;
  if (load(bytes.subspan(2, 2)) != headerCheck(bytes)) return std::nullopt;
  return Header{static_cast<std::uint8_t>(bytes[4]), load(bytes.subspan(5, 3)), load(bytes.subspan(8, 4))};
}

}  // namespace faultline::wire

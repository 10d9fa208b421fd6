#include "core/base/protobuf.h"

#include <bit>

namespace faultline {

void ProtobufMessage::add(unsigned field, double value) {
  key(field, 1);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) m_bytes += static_cast<char>(bits >> shift);
}

void ProtobufMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) m_bytes += static_cast<char>(value | 0x80);
  m_bytes += static_cast<char>(value);
}

}  // namespace faultline

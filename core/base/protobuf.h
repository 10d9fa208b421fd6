// ProtobufMessage writes Protocol Buffers' wire format: each field is a key (number and wire type) and a varint, eight
// bytes, or bytes. https://protobuf.dev/programming-guides/encoding
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace faultline {

class ProtobufMessage {
 public:
  void add(unsigned field, std::uint64_t value) {
    key(field, 0);
    varint(value);
  }
  void add(unsigned field, std::integral auto value) { add(field, static_cast<std::uint64_t>(value)); }
  void add(unsigned field, double value);
  void add(unsigned field, std::string_view bytes) {
    key(field, 2);
    varint(bytes.size());
    m_bytes += bytes;
  }
  void add(unsigned field, const ProtobufMessage& message) { add(field, std::string_view(message.m_bytes)); }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

 private:
  void key(unsigned field, unsigned type) { varint(field << 3U | type); }
  void varint(std::uint64_t value);

  std::string m_bytes;
};

}  // namespace faultline

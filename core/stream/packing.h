// The MessagePack packer on a reusable buffer.
#pragma once

#include <cstdint>
#ifndef MSGPACK_NO_BOOST
#define MSGPACK_NO_BOOST  // in tests too, where core's definitions are not set
#endif
#include <msgpack.hpp>
#include <span>
#include <string_view>

namespace faultline::wire {

using Packer = msgpack::packer<msgpack::sbuffer>;

// NOLINTBEGIN(bugprone-suspicious-stringview-data-usage): the size is packed first
inline void packText(Packer& out, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  out.pack_str(size).pack_str_body(text.data(), size);
}

inline void packBinary(Packer& out, std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  out.pack_bin(size).pack_bin_body(bytes.data(), size);
}

inline void packBytes(Packer& out, std::span<const std::uint8_t> bytes) {
  packBinary(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}
// NOLINTEND(bugprone-suspicious-stringview-data-usage)

[[nodiscard]] inline std::span<const std::uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace faultline::wire

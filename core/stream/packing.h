// The MessagePack packer on a reusable buffer.
#pragma once

#include <msgpack.hpp>
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
// NOLINTEND(bugprone-suspicious-stringview-data-usage)

}  // namespace faultline::wire

// gzip's format (RFC 1952) without compression: profiles are small, and core needs no library for it.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string gzipOf(std::string_view bytes);

}  // namespace faultline

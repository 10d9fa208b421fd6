// Converts a file name in UTF-8 (as typed or shown) to a path; std::filesystem::path(std::string) would use the
// system's code page. On systems whose names are bytes, invalid UTF-8 is kept as it is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] inline std::filesystem::path pathFromUtf8(std::string_view name) {
  return std::u8string(name.begin(), name.end());
}

[[nodiscard]] inline std::string nameInUtf8(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

}  // namespace faultline

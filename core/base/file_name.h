// A file by a name in UTF-8, as it came from a person or goes to one: what a path makes of other text depends on the
// system. A name that is no UTF-8 stays as it is where the system takes bytes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] inline std::filesystem::path fileNamed(std::string_view name) {
  return std::u8string(name.begin(), name.end());
}

}  // namespace faultline

// The text of a whole file. Read by a stream, which fails where a read fails: of a folder, of a process that ends
// meanwhile, of a broken disk. An iterator over the stream's buffer throws there.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "core/base/result.h"

namespace faultline {

// From where the stream stands. Errors are predicates of a sentence about the file, "cannot be read.". A text of more
// than 1 GiB is one, as a device may have no end.
[[nodiscard]] inline Result<std::string> restOf(std::istream& stream) {
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  std::string text;
  std::array<char, std::size_t{4} << 10U> piece{};
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMost) return fail("is larger than 1 GiB.");
  }
  if (stream.bad()) return fail("cannot be read.");
  return text;
}

// Errors as above, or "is a folder.", "cannot be opened.".
[[nodiscard]] inline Result<std::string> fileText(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return fail("is a folder.");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail("cannot be opened.");
  return restOf(stream);
}

}  // namespace faultline

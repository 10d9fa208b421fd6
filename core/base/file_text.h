// The text of a whole file. Read by a stream, which fails where a read fails: of a folder, of a process that ends
// meanwhile, of a broken disk. An iterator over the stream's buffer throws there.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "core/base/result.h"

namespace faultline {

// From where the stream stands. Absent: a read failed.
[[nodiscard]] inline std::optional<std::string> restOf(std::istream& stream) {
  std::string text;
  std::array<char, std::size_t{4} << 10U> piece{};
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0)
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  return stream.bad() ? std::nullopt : std::optional(std::move(text));
}

// Error: the predicate of a sentence about the file, "is a folder.".
[[nodiscard]] inline Result<std::string> fileText(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return fail("is a folder.");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail("cannot be opened.");
  if (auto text = restOf(stream)) return *std::move(text);
  return fail("cannot be read.");
}

}  // namespace faultline

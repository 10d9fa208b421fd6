// Tables as text, for terminals, in Markdown and in CSV.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

using TextCells = std::vector<std::string>;  // UTF-8, without wide characters

// Rows of the same length; the first is the head.
struct TextTable {
  std::vector<TextCells> rows;
  std::function<bool(std::size_t column)> left;  // aligned left, as words are; else right, as numbers are
};

[[nodiscard]] std::string alignedTable(const TextTable& table);   // without empty columns
[[nodiscard]] std::string markdownTable(const TextTable& table);  // a "|" in a cell is escaped
// One field of CSV (RFC 4180), quoted if necessary.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace faultline

// CsvRows: a table as other programs write it, row by row: with or without quotes, CRLF or LF, a byte order mark in
// front. Fields point into the text. Empty lines are left out; a last line without its newline counts.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace faultline {

class CsvRows {
 public:
  explicit CsvRows(std::string_view text);

  // The fields of the next row, valid until the next call; nothing at the end.
  [[nodiscard]] const std::vector<std::string_view>* next();

 private:
  std::string_view m_rest;
  std::vector<std::string_view> m_fields;
};

// The place of the column of this name, whatever its case; absent if there is none.
[[nodiscard]] std::optional<std::size_t> findColumn(const std::vector<std::string_view>& head, std::string_view name);
// A finite number that fills the field; absent for "NA", empty ones and fields beyond the row's end.
[[nodiscard]] std::optional<double> csvNumber(const std::vector<std::string_view>& row, std::size_t column);

}  // namespace faultline

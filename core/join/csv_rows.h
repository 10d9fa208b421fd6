// CsvRows: reads CSV of other programs: optional quotes, CRLF or LF, optional byte order mark. Fields are views into
// the text. Skips empty lines; the last line need not end with a newline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

class CsvRows {
 public:
  explicit CsvRows(std::string_view text);

  // The fields of the next row, valid until the next call; null at the end.
  [[nodiscard]] const std::vector<std::string_view>* next();
  [[nodiscard]] std::uint64_t line() const { return m_line; }  // of that row, from 1

 private:
  std::string_view m_rest;
  std::uint64_t m_line = 0;
  std::vector<std::string_view> m_fields;
};

// A quoted field with its doubled quotes made single.
[[nodiscard]] std::string unquoted(std::string_view field);
// Index of the column, ignoring case; absent if there is none.
[[nodiscard]] std::optional<std::size_t> findColumn(const std::vector<std::string_view>& head, std::string_view name);
// A finite number that fills the field; absent for "NA", an empty or a missing field.
[[nodiscard]] std::optional<double> csvNumber(const std::vector<std::string_view>& row, std::size_t column);

}  // namespace faultline

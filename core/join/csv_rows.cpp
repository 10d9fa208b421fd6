#include "core/join/csv_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace faultline {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Place of the quote that closes a field; npos: none does. Within the field quotes are doubled.
std::size_t closingQuote(std::string_view line, std::size_t open) {
  std::size_t close = line.find('"', open + 1);
  while (close != std::string_view::npos && line.substr(close + 1).starts_with('"')) close = line.find('"', close + 2);
  return close;
}

// Takes the first field and its separator. Doubled quotes within a quoted field stay doubled.
std::string_view takeField(std::string_view& line) {
  std::size_t from = 0;
  if (const auto first = line.find_first_not_of(kBlanks); first != std::string_view::npos && line[first] == '"')
    if (const auto close = closingQuote(line, first); close != std::string_view::npos) from = close;
  const std::size_t comma = line.find(',', from);
  std::string_view field = trimmed(line.substr(0, comma));
  line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
  return field;
}

}  // namespace

CsvRows::CsvRows(std::string_view text) : m_rest(text) {
  if (m_rest.starts_with(kByteOrderMark)) m_rest.remove_prefix(kByteOrderMark.size());
}

const std::vector<std::string_view>* CsvRows::next() {
  while (!m_rest.empty()) {
    const std::size_t newline = m_rest.find('\n');
    std::string_view line = trimmed(m_rest.substr(0, newline));
    m_rest.remove_prefix(newline == std::string_view::npos ? m_rest.size() : newline + 1);
    ++m_line;
    if (line.empty()) continue;
    const bool open = line.back() == ',';
    m_fields.clear();
    while (!line.empty()) m_fields.push_back(takeField(line));
    if (open) m_fields.emplace_back();
    return &m_fields;
  }
  return nullptr;
}

std::string unquoted(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    text += field[i];
    if (field.substr(i).starts_with("\"\"")) ++i;
  }
  return text;
}

std::optional<std::size_t> findColumn(const std::vector<std::string_view>& head, std::string_view name) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  const auto found =
      std::ranges::find_if(head, [&](std::string_view field) { return std::ranges::equal(field, name, same); });
  return found == head.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - head.begin()));
}

std::optional<double> csvNumber(const std::vector<std::string_view>& row, std::size_t column) {
  if (column >= row.size()) return std::nullopt;
  const std::string_view field = row[column];
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace faultline

#include "core/text/table.h"

#include <algorithm>

namespace faultline {
namespace {

std::size_t codePoints(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string markdownRow(const TextCells& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += " ";
    for (const char letter : cell) row += letter == '|' ? "\\|" : std::string(1, letter);
    row += " |";
  }
  return row + "\n";
}

}  // namespace

std::string alignedTable(const TextTable& table) {
  std::vector<std::size_t> widths(table.rows.front().size());
  for (const TextCells& cells : table.rows)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], codePoints(cells[i]));
  std::string out;
  for (const TextCells& cells : table.rows) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string padding(widths[i] - codePoints(cells[i]), ' ');
      row += (row.empty() ? "" : "  ") + (table.left(i) ? cells[i] + padding : padding + cells[i]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  }
  return out;
}

std::string markdownTable(const TextTable& table) {
  std::string out = markdownRow(table.rows.front()) + "|";
  for (std::size_t i = 0; i < table.rows.front().size(); ++i) out += table.left(i) ? "---|" : "--:|";
  out += "\n";
  for (std::size_t i = 1; i < table.rows.size(); ++i) out += markdownRow(table.rows[i]);
  return out;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace faultline

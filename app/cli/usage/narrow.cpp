#include "app/cli/usage/narrow.h"

#include <algorithm>
#include <vector>

#include "app/cli/text/width.h"

namespace faultline {
namespace {

constexpr std::size_t kDeepest = 40;  // columns of a table before its last one; beyond, the text is indented less

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    all.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return all;
}

bool tooLong(std::string_view line) {
  return textWidth(line) > kHelpColumns;
}

// Where the further lines of a row begin.
std::size_t hanging(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", start);
  const std::size_t column = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  if (column != std::string_view::npos && column <= kDeepest) return column;
  return start >= kDeepest / 2 ? start : start + 4;
}

class Filler {
 public:
  // The line has `column` blanks already; the next ones get `indent`.
  Filler(std::string& out, std::size_t column, std::string indent)
      : m_out(out), m_indent(std::move(indent)), m_column(static_cast<int>(column)) {}

  void add(std::string_view word, bool blank) {
    const int width = textWidth(word) + (blank ? 1 : 0);
    if (m_column > 0 && m_column + width > kHelpColumns) {
      m_out += "\n" + m_indent;
      m_column = static_cast<int>(m_indent.size());
    } else if (blank && m_column > 0) {
      m_out += ' ';
      ++m_column;
    }
    m_out += word;
    m_column += textWidth(word);
  }

 private:
  std::string& m_out;
  std::string m_indent;
  int m_column;
};

// A word that is longer than a line is a list of choices.
void fill(std::string_view text, std::size_t indent, std::string& out) {
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  out.append(text.substr(0, start));
  text.remove_prefix(start);
  Filler filler(out, start, std::string(indent, ' '));
  bool first = true;
  for (const std::string_view word : pieces(text, ' ')) {
    const auto choices = pieces(word, ',');
    const bool whole = textWidth(word) + static_cast<int>(indent) <= kHelpColumns;
    if (whole) filler.add(word, !first);
    for (std::size_t i = 0; !whole && i < choices.size(); ++i)
      filler.add(std::string(choices[i]) + (i + 1 < choices.size() ? "," : ""), !first && i == 0);
    first = false;
  }
  out += '\n';
}

bool isCommand(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  return start != 0 && start != std::string_view::npos && line.substr(start).starts_with("faultline-cli");
}

bool isProse(std::string_view line) {
  return !line.empty() && line.front() != ' ';
}

}  // namespace

std::string narrowed(std::string_view help) {
  std::string out;
  const auto lines = pieces(help, '\n');
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    // The line of usage follows the description, and is no part of it.
    while (end < lines.size() && isProse(lines[end]) && (end == i || !lines[end].starts_with("Usage:"))) ++end;
    if (end == i) {
      if (tooLong(lines[i]) && !isCommand(lines[i])) fill(lines[i], hanging(lines[i]), out);
      else out += std::string(lines[i]) + "\n";
      ++i;
      continue;
    }
    const bool anew = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(i),
                                  lines.begin() + static_cast<std::ptrdiff_t>(end), tooLong);
    std::string paragraph;
    for (; i < end; ++i) paragraph += std::string(paragraph.empty() ? "" : anew ? " " : "\n") + std::string(lines[i]);
    if (anew) fill(paragraph, 0, out);
    else out += paragraph + "\n";
  }
  out.pop_back();  // the text after the last end of a line is a line, too
  return out;
}

}  // namespace faultline

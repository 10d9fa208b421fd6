#include "core/text/command_words.h"

#include <utility>

#include "core/text/quantity.h"

namespace faultline {

Result<std::vector<std::string>> commandWords(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> words;
  bool within = false;  // a word
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    const bool escapes = letter == '\\' && quote != '\'' && i + 1 < line.size() &&
                         (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\');
    const bool blank = quote == 0 && kBlanks.find(letter) != std::string_view::npos;
    if (!blank && !std::exchange(within, true)) words.emplace_back();
    if (blank) within = false;
    else if (escapes) words.back() += line[++i];
    else if (letter == quote) quote = 0;
    else if (quote == 0 && (letter == '\'' || letter == '"')) quote = letter;
    else words.back() += letter;
  }
  if (quote != 0) return fail(std::string("The quote ") + quote + " is not closed in '" + printableName(line) + "'.");
  if (words.empty() || words.front().empty()) return fail("'" + printableName(line) + "' names no program.");
  return words;
}

}  // namespace faultline

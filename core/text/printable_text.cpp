#include "core/text/printable_text.h"

#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {

std::string printableText(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find_first_of("\n\t", begin), text.size());
    const bool returns = end < text.size() && text[end] == '\n' && end > begin && text[end - 1] == '\r';
    out += printableName(text.substr(begin, end - begin - (returns ? 1 : 0)));
    if (returns) out += '\r';
    if (end < text.size()) out += text[end++];
    begin = end;
  }
  return out;
}

std::string lastLine(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \r\n\t");
  if (last == std::string_view::npos) return {};
  text = text.substr(0, last + 1);
  return printableName(text.substr(text.find_last_of('\n') + 1));
}

}  // namespace faultline

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

}  // namespace faultline

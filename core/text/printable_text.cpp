#include "core/text/printable_text.h"

#include <algorithm>
#include <array>

#include "core/text/quantity.h"

namespace faultline {
namespace {

struct Sign {
  std::string_view utf8;
  std::string_view ascii;
};
constexpr std::array kSigns{
    Sign{"µ", "u"}, Sign{"×", "x"}, Sign{"±", "+-"}, Sign{"²", "2"},      Sign{"·", "."},      Sign{"…", "."},
    Sign{"–", "-"}, Sign{"≈", "~"}, Sign{"≤", "<="}, Sign{"≥", ">="},     Sign{"●", "*"},      Sign{"◆", "*"},
    Sign{"◇", "o"}, Sign{"▾", "v"}, Sign{"‖", "="},  Sign{"▏", "|"},      Sign{"↑", "^"},      Sign{"↓", "v"},
    Sign{"←", "<"}, Sign{"→", ">"}, Sign{"★", "*"},  Sign{"\u202f", " "}, Sign{"\u2009", " "}, Sign{"\u00a0", " "},
    Sign{"▁", "_"}, Sign{"▂", "_"}, Sign{"▃", "."},  Sign{"▄", "-"},      Sign{"▅", "="},      Sign{"▆", "+"},
    Sign{"▇", "*"}, Sign{"█", "#"}};

}  // namespace

std::string inAscii(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      out += text[i++];
      continue;
    }
    const auto sign = std::ranges::find_if(kSigns, [&](const Sign& s) { return text.substr(i).starts_with(s.utf8); });
    out += sign == kSigns.end() ? "?" : sign->ascii;
    for (++i; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;) ++i;
  }
  return out;
}

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

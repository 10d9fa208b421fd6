#include "core/text/number_style.h"

#include <optional>
#include <utility>

namespace faultline {
namespace {

std::optional<NumberStyle> g_style;  // absent: the default style

}  // namespace

void setNumberStyle(NumberStyle style) {
  g_style.reset();
  if (style != NumberStyle()) g_style = std::move(style);
}

std::string styled(std::string number) {
  if (!g_style) return number;
  std::string out = g_style->before;
  for (const char c : number) {
    if (c == '.') out += g_style->decimalPoint;
    else if (c >= '0' && c <= '9') out += g_style->digits.at(static_cast<std::size_t>(c - '0'));
    else out += c;
  }
  return out;
}

}  // namespace faultline

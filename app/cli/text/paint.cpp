#include "app/cli/text/paint.h"

#include <cstdlib>

namespace faultline {
namespace {

// Dim uses the terminal's own palette, so that it suits light and dark; the accent is Okabe and Ito's vermilion.
std::string_view code(Tone tone) {
  switch (tone) {
    case Tone::Dim:
      return "\x1b[2m";
    case Tone::Strong:
      return "\x1b[1m";
    case Tone::Accent:
      return "\x1b[1;38;5;166m";
    case Tone::Plain:
      break;
  }
  return {};
}

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

Paint Paint::forStream(StandardStream stream) {
  return Paint(isTerminal(stream) && !terminalIsDumb() && !isSet("NO_COLOR"));
}

std::string Paint::operator()(Tone tone, std::string_view text) const {
  if (!m_colours || tone == Tone::Plain) return std::string(text);
  return std::string(code(tone)) + std::string(text) + "\x1b[0m";
}

}  // namespace faultline

#include "platform/host/screen.h"

namespace faultline {

std::string screenText(const std::vector<std::string>& lines) {
  // Erase each line before writing it: erasing after a line of full width would erase its last character.
  std::string text = "\x1b[?2026h\x1b[H";  // synchronized update, where the terminal supports it
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "\x1b[2K" : "\r\n\x1b[2K") + lines[i] + "\x1b[0m";
  text += "\x1b[J\x1b[?2026l";
  return text;
}

}  // namespace faultline

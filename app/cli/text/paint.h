// Paint: tones of text as terminal colours, or as nothing. One accent only, and never colour alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/host/terminal.h"

namespace faultline {

enum class Tone : std::uint8_t { Plain, Dim, Strong, Accent };

class Paint {
 public:
  explicit Paint(bool colours) : m_colours(colours) {}
  // Colours for a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb.
  [[nodiscard]] static Paint forStream(StandardStream stream);

  [[nodiscard]] std::string operator()(Tone tone, std::string_view text) const;

 private:
  bool m_colours;
};

}  // namespace faultline

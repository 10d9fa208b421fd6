// Paint: tones of text as terminal colours, or plain text. No meaning is carried by colour alone.
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
  // Colours if the stream is a terminal that is not dumb and NO_COLOR (no-color.org) is not set.
  [[nodiscard]] static Paint forStream(StandardStream stream);

  [[nodiscard]] std::string operator()(Tone tone, std::string_view text) const;

 private:
  bool m_colours;
};

}  // namespace faultline

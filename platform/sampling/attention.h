// Attention: what the parent process tells by writing to this program's standard input: '+' the numbers are on show,
// '-' they are not; '>' a game is watched, '<' none is. Other bytes mean nothing. After the input has ended, the answer
// is that of the start.
#pragma once

#include <functional>

namespace faultline {

struct Attention {
  bool active = true;     // the numbers are on show
  bool watching = false;  // a game is watched

  void take(char sign) {
    if (sign == '+' || sign == '-') active = sign == '+';
    if (sign == '>' || sign == '<') watching = sign == '>';
  }
  bool operator==(const Attention&) const = default;
};

// The returned function reads standard input at most once per call and never blocks.
[[nodiscard]] std::function<Attention()> listenForAttention();

}  // namespace faultline

// MarkNumbering: gives measurements the numbers of the game's marks. A thread measures each time it counts its faults;
// the measurement belongs to the mark that the thread notes just before. Some measurements belong to no mark.
#pragma once

#include <deque>
#include <optional>

#include "core/marks/joiner.h"

namespace faultline {

class MarkNumbering {
 public:
  // Call each in the order of times. A mark is noted before the thread measures.
  void noted(const FrameMark& mark);
  void measured(const FrameMark& measurement);
  // The next measurement that belongs to a mark, with its number. A measurement whose mark is not known yet comes
  // later.
  [[nodiscard]] std::optional<FrameMark> next();

 private:
  struct Note {
    FrameMark mark;
    bool taken = false;
  };

  std::deque<Note> m_notes;
  std::deque<FrameMark> m_measured;
};

}  // namespace faultline

// MarkNumbering: measurements that somebody takes whenever a thread counts its faults, and which of the game's marks
// each belongs to: that which the thread notes right then. A thread also counts where it marks nothing.
#pragma once

#include <deque>
#include <optional>

#include "core/marks/joiner.h"

namespace faultline {

class MarkNumbering {
 public:
  // Both in the order of their times, those of `noted` from before the thread counts.
  void noted(const FrameMark& mark);
  void measured(const FrameMark& measurement);
  // The next measurement that belongs to a mark, with its number. One whose mark is not known yet comes later.
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

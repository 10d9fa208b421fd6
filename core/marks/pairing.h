// MarkPairing: marks as a game notes them, each with what somebody else has measured at it. Both come in order, each on
// its own way: a note waits a little for its measurement, and goes without if there is none.
#pragma once

#include <deque>
#include <optional>

#include "core/marks/joiner.h"

namespace faultline {

class MarkPairing {
 public:
  void noted(const FrameMark& mark) { m_notes.push_back({mark, 0}); }
  // Told apart by its number. Only zeroed bytes and time inside faults are taken from it.
  void measured(const FrameMark& mark);
  // Everything that had been measured before now has been handed over: who has waited for it twice waits no longer.
  void turn();
  // The next mark that waits for nothing; once `all`, none does.
  [[nodiscard]] std::optional<FrameMark> next(bool all);

 private:
  struct Note {
    FrameMark mark;
    unsigned turns = 0;
  };

  std::deque<Note> m_notes;
  std::deque<FrameMark> m_measured;
};

}  // namespace faultline

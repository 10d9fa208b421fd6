// MarkPairing: adds measurements to the marks noted by a game. Both arrive in order but separately: a note waits for
// its measurement, because a thread that is preempted in between is measured late, but no longer than kMaxTurns.
#pragma once

#include <deque>
#include <optional>

#include "core/marks/joiner.h"

namespace faultline {

class MarkPairing {
 public:
  static constexpr unsigned kMaxTurns = 100;  // a second
  void noted(const FrameMark& mark) { m_notes.push_back({mark, 0}); }
  // Matched by number. All but the counts of faults are used.
  void measured(const FrameMark& mark);
  // Ends a turn: all measurements made before this call have been passed to measured().
  void turn();
  // The next mark that need not wait any longer; with `all`, no mark waits.
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

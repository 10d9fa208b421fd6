// WatchController: decides how to watch a game from start to end, as a sequence of choices. A choice is replaced when
// no function is called, when a library that comes later has a better one, when the started program is only a wrapper
// of the game, or when the process executes another program. The caller starts a collector for each choice and reports
// the outcome.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/model/hello.h"
#include "core/watch/mark_search.h"

namespace faultline {

class WatchController {
 public:
  using Time = MarkSearch::Time;
  WatchController(MarkSource& source, std::uint32_t pid, MarkWishes wishes, Time now);

  // Absent: not decided yet, call again after pause(). Error: there is nothing to watch.
  [[nodiscard]] Result<std::optional<WatchChoice>> look(Time now);
  [[nodiscard]] Nanoseconds pause() const { return m_search.pause(); }
  [[nodiscard]] const std::string& missing() const { return m_search.missing(); }  // see MarkSearch
  void begin(WatchChoice choice);  // reports that a collector was started for this choice

  // Reports the collector's Hello. Returns a better choice, if there is one: replace the collector.
  [[nodiscard]] std::optional<WatchChoice> onHello(const Hello& hello, Time now);
  // No watched function has been called yet, so the function that ends frames is not known.
  [[nodiscard]] bool waits() const { return m_waits; }
  [[nodiscard]] Time searchAgainAt() const { return m_searchAgainAt; }
  // Searches for another choice while waits(). Absent: there is none, keep waiting.
  [[nodiscard]] std::optional<WatchChoice> searchAgain(Time now);

  // While frames come: when to look for a better choice, such as a function of a library that the game maps late.
  // Absent: nothing can be better.
  [[nodiscard]] std::optional<Time> lookAgainAt() const { return m_lookAgainAt; }
  // Absent: there is none. `silent`: no frame has come for kSilence.
  static constexpr auto kSilence = std::chrono::seconds(10);
  [[nodiscard]] std::optional<WatchChoice> lookForBetter(Time now, bool silent);
  // The choice before a better one that brings no frame. Absent: the present choice was not such a one.
  [[nodiscard]] std::optional<WatchChoice> goBack();

  // Reports that the collector ended without a Hello, for this reason. True: call look() again.
  [[nodiscard]] bool refused(const std::string& reason, Time now);
  // After the game ended in this state, whether another process or program is to be watched: then call restart().
  [[nodiscard]] bool goesOn(GameState state) const;
  void restart(Time now);

  [[nodiscard]] std::uint32_t pid() const { return m_search.pid(); }
  [[nodiscard]] const WatchChoice& choice() const { return m_choice; }
  // The watched process as "name (pid)", as its collector reported it.
  [[nodiscard]] const std::string& game() const { return m_game; }
  [[nodiscard]] std::string sentence() const;  // the end of a frame; also the process, if it is a descendant of pid()

 private:
  void noteEnds(const std::string& function);
  void planLook(Time now);
  [[nodiscard]] WatchChoice onTrial(WatchChoice better, Time now);

  MarkSource* m_source;
  MarkSearch m_search;
  WatchChoice m_choice;
  std::string m_game;
  std::string m_ends;                   // the function that ended frames last
  std::string m_endsText;               // the same in a sentence; empty: none has
  std::optional<WatchChoice> m_before;  // brought frames; comes back if no function of the present choice is called
  Time m_backAt;
  std::optional<Time> m_begun;  // the first Hello
  std::optional<Time> m_lookAgainAt;
  bool m_waits = false;
  Time m_searchAgainAt;
  unsigned m_looks = 0;
};

}  // namespace faultline

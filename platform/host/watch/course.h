// WatchCourse: how a game is watched from its beginning to its end, choice by choice: what ends its frames may turn out
// to be something else, what was started only a wrapper of it, and a process may become another program. Whoever holds
// it starts a collector for each choice, and tells what comes of it.
#pragma once

#include <optional>
#include <string>

#include "core/model/hello.h"
#include "platform/host/watch/mark_search.h"

namespace faultline {

class WatchCourse {
 public:
  using Time = MarkSearch::Time;
  WatchCourse(std::uint32_t pid, MarkWishes wishes, Time now);

  // Absent: not decided yet, look again after pause(). Error: there is nothing (more) to watch.
  [[nodiscard]] Result<std::optional<WatchChoice>> look(Time now);
  [[nodiscard]] Nanoseconds pause() const { return m_search.pause(); }
  void begin(WatchChoice choice);  // a collector has been started for it

  // What a collector says first. Another choice: it is better.
  [[nodiscard]] std::optional<WatchChoice> greeted(const Hello& hello, Time now);
  // No function has been called yet: until then nobody knows which of them ends frames.
  [[nodiscard]] bool waits() const { return m_waits; }
  [[nodiscard]] Time lookFurtherAt() const { return m_lookFurtherAt; }
  // Absent: there is no other choice, wait on.
  [[nodiscard]] std::optional<WatchChoice> lookFurther(Time now);
  [[nodiscard]] bool lookedFurther() const { return m_looks > 0; }

  // The collector has gone without a Hello, for this reason. True: look again.
  [[nodiscard]] bool refused(const std::string& reason, Time now);
  // What ends with the game in this state goes on with another one: once the collector is gone, beginAnew().
  [[nodiscard]] bool goesOn(GameState state) const;
  void beginAnew(Time now);

  [[nodiscard]] std::uint32_t pid() const { return m_search.pid(); }
  [[nodiscard]] const WatchChoice& choice() const { return m_choice; }
  // For a person, as its collector has seen it: it may have gone or changed its name since.
  [[nodiscard]] const std::string& game() const { return m_game; }
  [[nodiscard]] std::string sentence() const;  // what is watched, if it is another process; and what ends its frames

 private:
  MarkSearch m_search;
  WatchChoice m_choice;
  std::string m_game;
  bool m_waits = false;
  Time m_lookFurtherAt;
  unsigned m_looks = 0;
};

}  // namespace faultline

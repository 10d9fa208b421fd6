// MarkSearch: decides what ends the frames of a game, while it starts and when it turns out otherwise: libraries come
// one by one, and what was started may only be a wrapper of the game, which then is one of those that it has started.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "platform/host/watch/choice.h"

namespace faultline {

struct MarkWishes {
  std::string mark{};      // empty: whatever is best
  std::uint32_t rate = 0;  // above 0: no marks at all
  bool started = false;    // we have just started it, so that most is yet to come
};

class MarkSearch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  MarkSearch(std::uint32_t pid, MarkWishes wishes, Time now);

  // Absent: not decided yet, look again. Error: what was wished for is not there, and what else can be done.
  [[nodiscard]] Result<std::optional<WatchChoice>> look(Time now);
  // Another choice than those made already, as no frame has come of them; absent: there is none.
  [[nodiscard]] std::optional<WatchChoice> lookFurther();

  // A function has been called, but the game sets marks of its own, too, which only now are there.
  [[nodiscard]] std::optional<WatchChoice> ownInstead(const WatchChoice& choice);

  // The collector has refused the last choice for `reason`. False: a person wanted that very one.
  [[nodiscard]] bool refused(const std::string& reason, Time now);
  // What was watched is gone, or runs another program now. Nothing is assumed of that one.
  void beginAnew(Time now);

  [[nodiscard]] std::uint32_t pid() const { return m_pid; }
  [[nodiscard]] Nanoseconds pause() const;  // between two looks

 private:
  struct Looked {
    std::uint32_t pid = 0;
    FoundMarks found;
  };

  [[nodiscard]] bool late(Time now, std::chrono::nanoseconds patience) const { return now - m_begun >= patience; }
  [[nodiscard]] Result<std::optional<WatchChoice>> lookForFunction(const FunctionName& wanted, Time now);
  [[nodiscard]] std::optional<WatchChoice> lookForMark(Time now);
  [[nodiscard]] Result<std::optional<WatchChoice>> lookForAny(Time now);
  [[nodiscard]] std::optional<WatchChoice> chooseAmong(const std::vector<Looked>& family, Time now);
  [[nodiscard]] Result<std::vector<Looked>> lookAround();
  [[nodiscard]] std::vector<std::uint32_t> family() const;
  [[nodiscard]] WatchChoice chosen(WatchChoice choice);

  std::uint32_t m_pid;
  MarkWishes m_wishes;
  Time m_begun;
  MarkFinder m_finder;
  std::vector<WatchChoice> m_tried;
  std::string m_refusal;  // why functions cannot be watched here
  bool m_anew = false;
};

}  // namespace faultline

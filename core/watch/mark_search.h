// MarkSearch: decides how the frames of a game end, while the game starts and loads its libraries. Also searches the
// descendants of the process, because the started program may be only a wrapper of the game.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/watch/choice.h"

namespace faultline {

struct MarkWishes {
  std::string mark{};        // the user's --mark; empty: the best choice
  std::string presentMon{};  // the user's --presentmon: path of that program; empty: as the system finds it
  std::uint32_t rate = 0;    // above 0: assume this many frames per second, and search nothing
  bool started = false;      // the game was just started: wait longer for its marks and libraries
};

class MarkSearch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  MarkSearch(MarkSource& source, std::uint32_t pid, MarkWishes wishes, Time now);

  // Absent: not decided yet, call again after pause(). Error: the mark was not found, with the remedy.
  [[nodiscard]] Result<std::optional<WatchChoice>> look(Time now);
  // Why the named function was not found at the last look, while the search goes on, as a sentence; else empty.
  [[nodiscard]] const std::string& missing() const { return m_missing; }
  // A choice that was not tried yet, after the tried ones brought no frame; absent: there is none.
  [[nodiscard]] std::optional<WatchChoice> searchAgain();

  // While frames come by `choice`: a choice that the game's libraries allow by now, with a function nearer to the game
  // than `ends`, the name of the called one, which is watched further. If `silent`, no frame comes any more, and any
  // choice that was not tried yet is better, as is the same function in a new build of its library.
  [[nodiscard]] std::optional<WatchChoice> better(const WatchChoice& choice, const std::string& ends, bool silent);
  // Reports the function that a lookup has handed to the game of `choice` (Hello). A choice with it, if it is new.
  [[nodiscard]] std::optional<WatchChoice> handedOut(const WatchChoice& choice, const ProbePoint& function);
  // Reports that an earlier choice is watched again.
  [[nodiscard]] WatchChoice again(WatchChoice choice) { return chosen(std::move(choice)); }
  // Whether the user has left the choice to the search.
  [[nodiscard]] bool mayChoose() const { return m_wishes.mark.empty() && m_wishes.rate == 0; }

  // The game's own marks, if the game has set some since a function was chosen.
  [[nodiscard]] std::optional<WatchChoice> betterOwnMarks(const WatchChoice& choice);

  // Reports that the collector refused the last choice. False: the user asked for that choice, so there is no other.
  [[nodiscard]] bool refused(const std::string& reason, Time now);
  // Restarts after the game ended or executed another program. From then on no rate is assumed.
  void restart(Time now);

  [[nodiscard]] std::uint32_t pid() const { return m_pid; }
  [[nodiscard]] Nanoseconds pause() const;  // between two calls of look()

 private:
  struct Looked {
    std::uint32_t pid = 0;
    FoundMarks found;
  };

  [[nodiscard]] bool late(Time now, std::chrono::nanoseconds patience) const { return now - m_begun >= patience; }
  [[nodiscard]] Result<FoundMarks> lookAt(std::uint32_t pid);
  [[nodiscard]] Result<std::optional<WatchChoice>> lookForFunction(const FunctionName& wanted, Time now);
  [[nodiscard]] std::optional<WatchChoice> lookForMark(Time now);
  [[nodiscard]] Result<std::optional<WatchChoice>> lookForAny(Time now);
  [[nodiscard]] std::optional<WatchChoice> chooseAmong(const std::vector<Looked>& family, Time now);
  [[nodiscard]] Result<std::vector<Looked>> lookAround();
  [[nodiscard]] std::vector<std::uint32_t> family() const;
  [[nodiscard]] std::optional<WatchChoice> untried();
  [[nodiscard]] std::optional<WatchChoice> inNewBuild(const WatchChoice& choice);
  [[nodiscard]] bool isTried(const WatchChoice& choice) const;
  [[nodiscard]] WatchChoice chosen(WatchChoice choice);

  MarkSource* m_source;
  std::uint32_t m_pid;
  MarkWishes m_wishes;
  Time m_begun;
  std::vector<WatchChoice> m_tried;
  std::map<std::string, std::uint64_t> m_files;     // of the process at the last choice
  std::map<std::uint32_t, ProbePoint> m_handedOut;  // by process
  std::string m_refusal;  // why the collector cannot watch functions, as a sentence; empty: not refused
  std::string m_missing;
  bool m_restarted = false;
};

}  // namespace faultline

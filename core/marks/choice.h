// MarkChoice: chooses the function whose calls end a game's frames. One frame may call several candidates, as dispatch
// libraries call each other. The most preferred candidate that is called counts; calls of the others are duplicates.
// But a candidate of a few calls a second gives way to one that is called far more often: a cursor blinks, a game
// plays. Of a candidate that shows a picture in parts, calls in quick succession end one frame. Calls may come in any
// order of their times. After a change, MarkJoiner must restart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/marks/rhythm.h"
#include "core/model/watch_request.h"

namespace faultline {

// The number of calls in the last second, roughly.
class CallPace {
 public:
  void note(MonotonicTime time);
  [[nodiscard]] unsigned perSecond(MonotonicTime time) const;

 private:
  MonotonicTime m_begin;  // of the present second
  unsigned m_count = 0;
  unsigned m_before = 0;  // in the second before
};

class MarkChoice {
 public:
  explicit MarkChoice(std::size_t candidates) : m_calls(candidates) {}  // in order of preference
  explicit MarkChoice(std::span<const ProbeCalls> candidates);

  // Whether this call ends a frame.
  [[nodiscard]] bool ends(std::size_t candidate, MonotonicTime time);

  [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
  // Calls of the chosen candidate so far that ended no frame because they showed a further part of its picture.
  [[nodiscard]] std::uint64_t parts() const { return m_chosen ? m_calls[*m_chosen].parts : 0; }
  [[nodiscard]] bool changed() { return std::exchange(m_changed, false); }  // since the last call of this function

 private:
  struct Calls {
    std::optional<CallRhythm> rhythm;  // of a candidate that shows a picture in parts
    std::uint64_t parts = 0;           // calls that showed a further part of a picture
    std::optional<MonotonicTime> last;
    std::optional<MonotonicTime> alone;  // first call since the chosen candidate's last one
    CallPace pace{};                     // of the calls that begin a picture
  };

  [[nodiscard]] bool takesOver(std::size_t candidate, MonotonicTime time) const;
  [[nodiscard]] bool isFarRarer(std::size_t candidate, std::size_t other, MonotonicTime time) const;

  std::vector<Calls> m_calls;
  std::optional<std::size_t> m_chosen;
  MonotonicTime m_chosenAt;
  bool m_changed = false;
};

}  // namespace faultline

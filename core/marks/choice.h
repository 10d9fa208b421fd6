// MarkChoice: chooses the function whose calls end a game's frames. One frame may call several candidates, as dispatch
// libraries call each other. The most preferred candidate that is called counts; calls of the others are duplicates.
// Calls may come in any order of their times. After a change, MarkJoiner must restart.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/units.h"

namespace faultline {

class MarkChoice {
 public:
  explicit MarkChoice(std::size_t candidates) : m_calls(candidates) {}  // in order of preference

  // Whether this call ends a frame.
  [[nodiscard]] bool ends(std::size_t candidate, MonotonicTime time);

  [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
  [[nodiscard]] bool changed() { return std::exchange(m_changed, false); }  // since the last call of this function

 private:
  struct Calls {
    std::optional<MonotonicTime> last;
    std::optional<MonotonicTime> alone;  // first call since the chosen candidate's last one
  };

  [[nodiscard]] bool takesOver(std::size_t candidate, MonotonicTime time) const;

  std::vector<Calls> m_calls;
  std::optional<std::size_t> m_chosen;
  bool m_changed = false;
};

}  // namespace faultline

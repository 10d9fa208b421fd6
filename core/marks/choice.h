// MarkChoice: which of several functions ends a game's frames. One turn of the loop may call more than one of them, as
// calls go through dispatch libraries: the preferred one of those that are called counts, the others' calls are
// doubles. Times are those of the calls, in whatever order they come. Whoever joins frames begins anew after a change.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/units.h"

namespace faultline {

class MarkChoice {
 public:
  explicit MarkChoice(std::size_t candidates) : m_calls(candidates) {}  // the preferred ones first

  // Whether this call of a candidate ends a frame.
  [[nodiscard]] bool ends(std::size_t candidate, MonotonicTime time);

  [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
  [[nodiscard]] bool changed() { return std::exchange(m_changed, false); }  // since this was last asked

 private:
  struct Calls {
    std::optional<MonotonicTime> last;
    std::optional<MonotonicTime> alone;  // the first since the chosen one's last
  };

  [[nodiscard]] bool takesOver(std::size_t candidate, MonotonicTime time) const;

  std::vector<Calls> m_calls;
  std::optional<std::size_t> m_chosen;
  bool m_changed = false;
};

}  // namespace faultline

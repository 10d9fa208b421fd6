// CallRhythm: which calls of a function begin a picture that a game shows in parts. Parts follow each other much faster
// than pictures. Calls that are 5 ms apart are always two pictures.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/base/units.h"

namespace faultline {

class CallRhythm {
 public:
  // Whether the call begins a picture. A call that comes out of order shows a further part.
  [[nodiscard]] bool begins(MonotonicTime time);

 private:
  [[nodiscard]] Nanoseconds shortest() const;  // gap before a picture

  std::array<Nanoseconds, 48> m_gaps{};  // between the last calls
  std::size_t m_count = 0;               // of gaps so far
  std::optional<MonotonicTime> m_last;
};

}  // namespace faultline

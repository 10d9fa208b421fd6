// MarkJoiner: marks of one loop, in order, to frames. Believes nothing: a mark that cannot be true makes no frame and
// is counted, and so are the frames that are missing between two marks.
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

// The end of a frame; counts are cumulative.
struct FrameMark {
  std::uint64_t number = 0;
  MonotonicTime time;
  std::uint32_t thread = 0;
  std::uint64_t minorFaults = 0;  // of the process
  std::uint64_t majorFaults = 0;
  std::uint64_t ownMinorFaults = 0;  // of the thread
  std::uint64_t ownMajorFaults = 0;
  // Where they are measured at all.
  std::optional<std::uint64_t> zeroedBytes{};
  std::optional<Nanoseconds> faultTime{};
  std::optional<std::uint64_t> ownZeroedBytes{};
  std::optional<Nanoseconds> ownFaultTime{};
  std::optional<std::uint64_t> timedFaults{};  // those that faultTime is of
};

class MarkJoiner {
 public:
  // The frame that `mark` ends. None for the first mark, after a gap, and for nonsense. `now` is later than the mark.
  [[nodiscard]] std::optional<GameFrame> add(const FrameMark& mark, MonotonicTime now);
  void beginAnew() { m_last.reset(); }  // the next mark is of another kind: it ends no frame

  [[nodiscard]] std::uint64_t lost() const { return m_lost; }
  [[nodiscard]] std::uint64_t nonsense() const { return m_nonsense; }

 private:
  std::optional<FrameMark> m_last;
  std::uint64_t m_lost = 0;
  std::uint64_t m_nonsense = 0;
};

}  // namespace faultline

// MarkJoiner: turns the marks of one game loop, in order, into frames. Marks with impossible values end no frame and
// are counted, as are frames missing between two marks.
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

// A mark at the end of a frame. The values are cumulative, but for the stretch of a delay, which is that of the frame
// that the mark ends.
struct FrameMark {
  std::uint64_t number = 0;
  MonotonicTime time;
  std::uint32_t thread = 0;  // 0: no thread reached it, and all of a thread is unknown
  FrameValues values{};
  Nanoseconds readLater{0};  // how long after `time` a program in the kernel read the times
};

class MarkJoiner {
 public:
  // The frame that `mark` ends; absent for the first mark, after a gap, and for an invalid mark. A mark later than
  // `now` is invalid. A fault inside a mark is the thread's in the frame in which it is the process's; a thread that is
  // stopped inside a mark has waited in the next frame.
  [[nodiscard]] std::optional<GameFrame> add(const FrameMark& mark, MonotonicTime now);
  void restart() { m_last.reset(); }  // the next mark ends no frame
  // The process's faults after the last mark, of these; absent if there was no mark, or these are fewer.
  [[nodiscard]] std::optional<std::uint64_t> faultsAfter(std::uint64_t minorFaults, std::uint64_t majorFaults) const;

  [[nodiscard]] std::uint64_t lost() const { return m_lost; }
  [[nodiscard]] std::uint64_t invalidMarks() const { return m_invalidMarks; }

 private:
  [[nodiscard]] std::optional<FrameMark> withoutInside(const FrameMark& mark);
  [[nodiscard]] std::optional<GameFrame> join(const FrameMark& mark);

  std::optional<FrameMark> m_last;
  std::optional<WaitedBehind> m_behind;  // while the thread waited inside the last mark
  std::uint64_t m_lost = 0;
  std::uint64_t m_invalidMarks = 0;
};

}  // namespace faultline

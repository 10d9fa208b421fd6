// LiveJoin: joins frames of another tool with the faults of the game while both come in. Frames may come late.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/join/frame_times.h"
#include "core/model/game_frame.h"

namespace faultline {

class LiveJoin {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::seconds(10);  // how late a frame may come

  // The faults between two readings of their count; in order.
  void addSlot(const GameFrame& slot);
  void addFrames(std::span<const FrameSpan> frames);  // of the same clock
  // Appends the frames whose faults are known by now. Frames that began before the first slot are left out.
  void take(std::vector<GameFrame>& out);

  [[nodiscard]] std::size_t waiting() const { return m_waiting.size(); }  // for the faults until their end
  [[nodiscard]] std::uint64_t lost() const { return m_lost; }             // came too late or out of order

 private:
  void forget(Nanoseconds until);

  std::vector<GameFrame> m_slots;
  std::vector<FrameSpan> m_waiting;
  Nanoseconds m_begin{0};  // of the first slot
  Nanoseconds m_last{0};   // start of the last frame
  std::uint64_t m_number = 0;
  std::uint64_t m_lost = 0;
};

}  // namespace faultline

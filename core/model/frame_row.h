// A frame as a row of bytes, as its difference to the frame before: in recordings, and in memory. About 30 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/model/game_frame.h"

namespace faultline {

// The numbers that follow the mask: a bit each, in the order of FrameMetric.
[[nodiscard]] inline std::uint64_t frameMask(const FrameValues& values) {
  constexpr std::uint64_t kBefore = frameBit(FrameMetric::MinorFaults) | frameBit(FrameMetric::MajorFaults);
  return (values.present() & ~kBefore) | (values.majorFaults() ? 0 : frameBit(FrameMetric::MinorFaults));
}

// Takes the numbers of `mask` from next(), those of newer writers too. False: a time is beyond the longest.
template <class Next>
[[nodiscard]] bool takeFrameValues(std::uint64_t mask, Next next, FrameValues& values) {
  constexpr std::uint64_t kTimes = frameMetricsThat([](const FrameField& row) { return row.unit == Unit::Duration; });
  bool valid = true;
  forEachMetric<FrameMetric>(mask, [&](FrameMetric metric) {
    const std::uint64_t value = next();
    if (static_cast<std::size_t>(metric) >= kFrameMetricCount) return;
    values.set(metric, value);
    valid =
        valid && ((kTimes & frameBit(metric)) == 0 || value <= static_cast<std::uint64_t>(Nanoseconds::max().count()));
  });
  if ((mask & frameBit(FrameMetric::MinorFaults)) != 0) values.clear(FrameMetric::MajorFaults);
  values.clearIncomplete();
  return valid;
}

void putFrameRow(const GameFrame& frame, const GameFrame& before, std::vector<std::uint8_t>& out);
// Takes a row, written with the same `before`, from the front of `bytes`. False: a value is beyond the longest time.
[[nodiscard]] bool takeFrameRow(std::span<const std::uint8_t>& bytes, const GameFrame& before, GameFrame& frame);

// Frames in order, to be looked at once more.
class PackedFrames {
 public:
  explicit PackedFrames(std::size_t mostBytes) : m_most(mostBytes) {}

  [[nodiscard]] bool add(const GameFrame& frame);  // false: there is no room
  void visit(const std::function<void(const GameFrame&)>& visitor) const;
  void clear();

 private:
  std::size_t m_most;
  std::vector<std::uint8_t> m_bytes;
  GameFrame m_last;
};

}  // namespace faultline

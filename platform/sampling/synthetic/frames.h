// SyntheticFrames: a game that does not exist, some 180 frames a second, each what syntheticFrame() says. Every 50th
// loads a level piece (8192 faults, late), every 50th from the 25th on a smaller one (costly, not late), and every
// 400th from the 130th on is late for another reason.
#pragma once

#include <vector>

#include "platform/sampling/frame_source.h"

namespace faultline {

inline constexpr std::uint64_t kSyntheticUsualFaults = 16;
inline constexpr std::uint64_t kSyntheticSmallBurst = 1200;
inline constexpr std::uint64_t kSyntheticBurst = 8192;

// Frame `number`, the first is 1, of a game that began at `start`.
[[nodiscard]] GameFrame syntheticFrame(std::uint64_t number, MonotonicTime start);
// The faults of a frame that `options` want told, in the order of their time.
void syntheticSamples(const GameFrame& frame, const WatchOptions& options, std::vector<FaultSample>& out);

class SyntheticFrames final : public FrameSource {
 public:
  SyntheticFrames(const WatchOptions& options, const Clock& clock);

  [[nodiscard]] Hello hello() const override;
  void collect(GameFrameBatch& frames, FaultSampleBatch& samples) override;

 private:
  WatchOptions m_options;
  const Clock& m_clock;
  MonotonicTime m_start;
  std::uint64_t m_number = 0;  // of the last frame told
};

}  // namespace faultline

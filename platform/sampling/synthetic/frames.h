// SyntheticFrames: a synthetic game of about 180 frames per second, each equal to syntheticFrame(). Every 50th frame
// has a burst of 8192 faults (late), every 50th from the 25th on a burst of 1200 (costly, not late), and every 400th
// from the 130th on is late for another reason.
#pragma once

#include <vector>

#include "platform/sampling/frame_source.h"

namespace faultline {

inline constexpr std::uint64_t kSyntheticUsualFaults = 16;
inline constexpr std::uint64_t kSyntheticSmallBurst = 1200;
inline constexpr std::uint64_t kSyntheticBurst = 8192;

// Frame `number` (from 1) of a game that started at `start`.
[[nodiscard]] GameFrame syntheticFrame(std::uint64_t number, MonotonicTime start);
// Appends the samples of a frame by options.samples and sampleAfter, in the order of time.
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
  std::uint64_t m_number = 0;  // of the last collected frame
};

}  // namespace faultline

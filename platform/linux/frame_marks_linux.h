// MarkedFrames: the frames of a game that uses resources/faultline_frame.h, counts and all as the game itself notes
// them. The marks are memory without a name in the file system, found among the files that the game has open.
#pragma once

#include "core/frames/mark_joiner.h"
#include "platform/frame_source.h"
#include "platform/linux/frame_ring_linux.h"
#include "platform/linux/watch_target_linux.h"

namespace faultline {

class MarkedFrames final : public FrameSource {
 public:
  // Waits for the first mark as long as `options` say.
  [[nodiscard]] static Result<std::unique_ptr<FrameSource>> open(WatchTarget target, const WatchOptions& options,
                                                                 const Clock& clock);

  [[nodiscard]] Hello hello() const override;
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  MarkedFrames(WatchTarget target, FrameRing ring, unsigned mark, const Clock& clock);
  void drain(GameFrameBatch& batch);
  [[nodiscard]] GameState lookAround();

  WatchTarget m_target;
  FrameRing m_ring;
  unsigned m_mark;
  const Clock& m_clock;
  MarkJoiner m_joiner;
  MonotonicTime m_lastSign;  // of the game's life
};

}  // namespace faultline

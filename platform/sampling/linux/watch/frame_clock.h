// ClockedFrames: a game without marks, read from /proc/PID/stat at an assumed rate. A "frame" is the span between two
// reads: the kernel's counts are exact, but beginning and end are not those of the game's frames. A late read makes a
// longer frame, and no fault is lost.
#pragma once

#include <optional>

#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/target/watch_target.h"

namespace faultline {

class ClockedFrames final : public FrameSource {
 public:
  [[nodiscard]] static Result<std::unique_ptr<FrameSource>> open(WatchTarget target, std::uint32_t rate,
                                                                 const Clock& clock);

  [[nodiscard]] Hello hello() const override;
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  struct Reading {
    MonotonicTime time;
    std::uint64_t minorFaults = 0;
    std::uint64_t majorFaults = 0;
  };

  ClockedFrames(WatchTarget target, std::uint32_t rate, const Clock& clock);
  [[nodiscard]] std::optional<Reading> read() const;

  WatchTarget m_target;
  std::uint32_t m_rate;
  const Clock& m_clock;
  std::optional<Reading> m_last;
  std::uint64_t m_number = 0;
};

}  // namespace faultline

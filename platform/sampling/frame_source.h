// FrameSource: the frames of one game, each when it has ended. Implementations: watch/frame_marks.h (the game's own
// marks), watch/frame_slots.h and watch/frame_clock.h (an assumed rate), watch/frame_bpf.h and watch/frame_perf.h
// (calls of a function); Windows: watch/marked_frames.h, watch/present_mon_frames.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/fault_sample.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/watch/options.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/standstill.h"

namespace faultline {

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // The caller sets version and pid. `interval` is the longest time between two calls of collect().
  [[nodiscard]] virtual Hello hello() const = 0;
  // True once after hello() has changed: send it again.
  [[nodiscard]] virtual bool helloChanged() { return false; }
  // Appends the frames and samples since the last call, and updates state and totals. When the state says that the game
  // has ended, all data has been appended.
  virtual void collect(GameFrameBatch& frames, FaultSampleBatch& samples) = 0;
  // Why no frame can come any more though the game goes on, as a sentence; empty: they can.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
};

// Opens the game and its files with the rights in effect; then calls `onceHeld`, if set, which may put privileges into
// effect; then opens everything that needs privileges. Error: a sentence with the remedy.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> openFrameSource(
    const WatchOptions& options, const Clock& clock, const std::function<Result<void>()>& onceHeld = nullptr);

}  // namespace faultline

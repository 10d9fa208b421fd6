// FrameSource: the frames of one game, each when it has ended. Implementations: watch/frame_marks.h (the game's own
// marks), watch/frame_clock.h (an assumed rate), watch/frame_bpf.h and watch/frame_perf.h (calls of a function).
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
#include "core/model/watch_request.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/standstill.h"

namespace faultline {

// A frame ends at a call of `probes`, if there are any; else by `assumedRate`, if it is not 0; else at the game's own
// marks.
struct WatchOptions {
  std::uint32_t pid = 0;
  std::string mark{};                // name of the game's own mark; empty: the first mark that the game sets
  Nanoseconds patience{0};           // how long to wait for the first of the game's own marks
  std::uint32_t assumedRate = 0;     // frames per second
  std::vector<ProbePoint> probes{};  // in order of preference; of those called, the first ends frames
  SampleMode samples = SampleMode::None;
  Nanoseconds sampleAfter = std::chrono::microseconds(500);  // Spikes: time in faults of a frame before sampling
  std::string noSlot{};  // why no program may run at the faults of all processes; empty: it may (timing_slot.h)
  StandstillLimit limitStandstill{};  // in effect while probes stand in the game; empty: no limit
};

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
};

// Opens the game and its files with the rights in effect; then calls `onceHeld`, if set, which may put privileges into
// effect; then opens everything that needs privileges. Error: a sentence with the remedy.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> openFrameSource(
    const WatchOptions& options, const Clock& clock, const std::function<Result<void>()>& onceHeld = nullptr);

}  // namespace faultline

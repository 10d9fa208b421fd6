// FrameSource: one game's frames as they end. Real implementations: watch/frame_marks.h (the game's own marks),
// watch/frame_clock.h (an assumed rate), watch/frame_bpf.h and watch/frame_perf.h (a function's
// calls). Opening fails with a sentence that says what else can be done; everything that needs a privilege is opened
// there.
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

namespace faultline {

// What ends a frame: the calls of `probes`, if there are any; else `assumedRate`, if it is not 0; else the game's own
// marks.
struct WatchOptions {
  std::uint32_t pid = 0;
  std::string mark{};                // of the game's own; empty: the first it has set
  Nanoseconds patience{0};           // how long to wait for the first of the game's own marks
  std::uint32_t assumedRate = 0;     // frames a second
  std::vector<ProbePoint> probes{};  // the preferred ones first; the first of them that is called counts
  SampleMode samples = SampleMode::None;
  Nanoseconds sampleAfter = std::chrono::microseconds(500);
  std::string noSlot{};  // why nothing may run at everybody's faults; empty: it may (timing_slot.h)
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Version and pid are the caller's to fill. `interval` is what may pass between two calls of collect().
  [[nodiscard]] virtual Hello hello() const = 0;
  // True once after what hello() says has become another: then it is to be told again.
  [[nodiscard]] virtual bool helloChanged() { return false; }
  // Appends what has come since the last call, and brings state and totals up to date. Once the game is gone it has
  // given everything.
  virtual void collect(GameFrameBatch& frames, FaultSampleBatch& samples) = 0;
};

// Opens the game and its files as the plain user that it finds itself to be; then calls `onceHeld`, if there is one,
// which may put privileges into effect; then opens what takes those.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> openFrameSource(
    const WatchOptions& options, const Clock& clock, const std::function<Result<void>()>& onceHeld = nullptr);

}  // namespace faultline

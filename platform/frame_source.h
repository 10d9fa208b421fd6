// FrameSource: one game's frames as they end. Real implementations: linux/frame_marks_linux.h (the game's own marks),
// linux/frame_clock_linux.h (an assumed rate).
// Opening fails with a sentence that says what else can be done; everything that needs a privilege is opened there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/frames/game_frame.h"
#include "core/model/hello.h"
#include "platform/clock.h"

namespace faultline {

struct WatchOptions {
  std::uint32_t pid = 0;
  std::string mark;               // of the game's own; empty: the first it has set
  Nanoseconds patience{0};        // how long to wait for the first mark
  std::uint32_t assumedRate = 0;  // frames a second that a game without marks is taken to have; 0: it has marks
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Version and pid are the caller's to fill. `interval` is what may pass between two calls of collect().
  [[nodiscard]] virtual Hello hello() const = 0;
  // Appends what has come since the last call, and brings state and totals up to date. Once the game is gone it has
  // given everything.
  virtual void collect(GameFrameBatch& batch) = 0;
};

[[nodiscard]] Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& options, const Clock& clock);

}  // namespace faultline

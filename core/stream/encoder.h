// Encoder: Hello and snapshots to bytes. The same bytes travel on the pipe and lie in a recording (docs:
// stream/format.md beside this file). Stateful: unchanged processes are left out of the next frame; every
// kKeyFrameEvery-th snapshot frame stands alone.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/model/fault_sample.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

inline constexpr int kKeyFrameEvery = 120;

class Encoder {
 public:
  Encoder();
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  // The returned bytes are one whole frame and stay valid until the next call. hello() comes first. A frame keeps
  // within what readers accept: processes beyond the first 32 768, or from the first on that 16 MiB might not hold,
  // are left out.
  [[nodiscard]] std::span<const std::byte> hello(const Hello& hello);
  [[nodiscard]] std::span<const std::byte> snapshot(const Snapshot& snapshot);
  [[nodiscard]] std::span<const std::byte> gameFrames(const GameFrameBatch& batch);      // stands alone
  [[nodiscard]] std::span<const std::byte> faultSamples(const FaultSampleBatch& batch);  // stands alone
  [[nodiscard]] std::span<const std::byte> end();  // a stream that ends with this frame ended on purpose

  // The frame returned last was not sent: the next snapshot frame must not lean on it.
  void dropped();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline

// Encoder: converts Hello, snapshots and batches to bytes, the same for the pipe and for recordings (see format.md in
// this folder). Stateful: a delta snapshot omits unchanged processes; every kKeySnapshotEvery-th snapshot is a key
// snapshot, which depends on no other.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/model/fault_sample.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

inline constexpr int kKeySnapshotEvery = 120;

class Encoder {
 public:
  Encoder();
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  // Each call returns one whole packet, valid until the next call. Call hello() first. A snapshot is limited to the
  // size that readers accept: processes beyond the first 32 768, or beyond those that surely fit into 16 MiB, are
  // omitted and counted in processes_left_out.
  [[nodiscard]] std::span<const std::byte> hello(const Hello& hello);
  [[nodiscard]] std::span<const std::byte> snapshot(const Snapshot& snapshot);
  [[nodiscard]] std::span<const std::byte> gameFrames(const GameFrameBatch& batch);      // depends on no other packet
  [[nodiscard]] std::span<const std::byte> faultSamples(const FaultSampleBatch& batch);  // depends on no other packet
  // For recordings: compact, and without registers and stacks. recordedSamples() packs the first samples and removes
  // them from `samples`; later packets of samples depend on this one.
  [[nodiscard]] std::span<const std::byte> recordedFrames(const GameFrameBatch& batch);
  [[nodiscard]] std::span<const std::byte> recordedSamples(std::uint64_t lost, std::span<const FaultSample>& samples);
  [[nodiscard]] std::span<const std::byte> end();  // marks that the stream was ended deliberately

  // Report that the packet returned last was not sent, so that the next snapshot does not depend on it.
  void dropped();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline

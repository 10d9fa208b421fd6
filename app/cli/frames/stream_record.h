// StreamRecord: writes the events of a watching collector to a recording, and samples with their call stacks. With
// `ring`, FILE is renamed to FILE.before whenever its frames last that long, in place of the one before it: both
// together have the last `ring` at least, and are a recording if one follows the other.
#pragma once

#include <optional>
#include <string>

#include "core/recording/writer.h"
#include "core/stream/decoder.h"
#include "platform/host/recorded_file.h"

namespace faultline {

class StreamRecord {
 public:
  // The first Hello creates the file. Without a name nothing is recorded.
  explicit StreamRecord(std::string file = {}, Existing existing = Existing::Overwrite,
                        Nanoseconds ring = Nanoseconds(0))
      : m_file(std::move(file)), m_existing(existing), m_ring(ring) {}

  // Ignores samples: add() gets them later, with their call stacks. An error is repeated by every later call.
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> add(const FaultSampleBatch& samples);
  [[nodiscard]] bool wanted() const { return !m_file.empty(); }
  void copyRing() const;  // to a recording beside it; says so or why not
  // "Recorded 299 frames to game.faultline, 12.3 kB."; empty if nothing is recorded.
  [[nodiscard]] std::string summary() const;

 private:
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<void> add(const GameFrameBatch& batch);
  [[nodiscard]] Result<void> turn();

  std::string m_file;
  Existing m_existing;
  Nanoseconds m_ring;  // 0: all is kept in one file
  Hello m_hello;       // the last one
  std::optional<RecordingWriter> m_writer;
  std::optional<MonotonicTime> m_turned;  // when the first frame of the present file began
  struct {
    std::uint64_t bytes = 0;
    std::uint64_t frames = 0;
  } m_earlier;  // in files before the present one
};

}  // namespace faultline

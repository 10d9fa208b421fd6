// StreamRecord: writes the events of a watching collector to a recording, and samples with their call stacks.
#pragma once

#include <string>

#include "app/cli/stream/ring_recording.h"
#include "core/stream/decoder.h"
#include "platform/host/recorded_file.h"

namespace faultline {

class StreamRecord {
 public:
  // The first Hello creates the file. Without a name nothing is recorded. `ring`: as RingRecording has it.
  explicit StreamRecord(const std::string& file = {}, Existing existing = Existing::Overwrite,
                        Nanoseconds ring = Nanoseconds(0));

  // Ignores samples: add() gets them later, with their call stacks. An error is repeated by every later call.
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> add(const FaultSampleBatch& samples);
  [[nodiscard]] bool wanted() const { return !m_recording.file().empty(); }
  void copyRing() const;  // to a recording beside it; says so or why not
  // "Recorded 299 frames to game.faultline, 12.3 kB."; empty if nothing is recorded.
  [[nodiscard]] std::string summary() const;

 private:
  [[nodiscard]] Result<void> add(const GameFrameBatch& batch);

  RingRecording m_recording;
  Existing m_existing;
  Hello m_hello;  // the last one
};

}  // namespace faultline

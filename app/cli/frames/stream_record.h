// StreamRecord: writes the events of a watching collector to a recording, and samples with their call stacks.
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
  explicit StreamRecord(std::string file = {}, Existing existing = Existing::Overwrite)
      : m_file(std::move(file)), m_existing(existing) {}

  // Ignores samples: add() gets them later, with their call stacks. An error is repeated by every later call.
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> add(const FaultSampleBatch& samples);
  [[nodiscard]] bool wanted() const { return !m_file.empty(); }
  // "Recorded 299 frames to game.faultline, 12.3 kB."; empty if nothing is recorded.
  [[nodiscard]] std::string summary() const;

 private:
  std::string m_file;
  Existing m_existing;
  std::optional<RecordingWriter> m_writer;
};

}  // namespace faultline

// StreamRecord: writes the events of a watching collector to a recording.
#pragma once

#include <optional>
#include <string>

#include "core/recording/writer.h"
#include "core/stream/decoder.h"

namespace faultline {

class StreamRecord {
 public:
  // The first Hello creates or overwrites the file. Without a name nothing is recorded.
  explicit StreamRecord(std::string file) : m_file(std::move(file)) {}

  [[nodiscard]] Result<void> take(const StreamEvent& event);

 private:
  std::string m_file;
  std::optional<RecordingWriter> m_writer;
};

}  // namespace faultline

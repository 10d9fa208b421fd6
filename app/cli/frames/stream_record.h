// StreamRecord: what a watching collector sends, into a recording as well.
#pragma once

#include <optional>
#include <string>

#include "core/recording/writer.h"
#include "core/stream/decoder.h"

namespace faultline {

class StreamRecord {
 public:
  // The file is created with the first Hello, over what was there; an empty name: nothing is recorded.
  explicit StreamRecord(std::string file) : m_file(std::move(file)) {}

  [[nodiscard]] Result<void> take(const StreamEvent& event);

 private:
  std::string m_file;
  std::optional<RecordingWriter> m_writer;
};

}  // namespace faultline

// RecordingReader: a recording from a file or standard input, event by event, with constant memory. A cut or damaged
// recording gives everything that can be read; troubles() then says what could not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/stream/decoder.h"
#include "platform/desktop/byte_file.h"

namespace faultline {

class RecordingReader {
 public:
  [[nodiscard]] static Result<RecordingReader> open(const std::filesystem::path& path);  // "-" is standard input

  // Hello or a snapshot (valid until the next call), or StreamEnd at the end of the file. Error: this is no recording
  // that we can read, or it could not be read at all.
  [[nodiscard]] Result<StreamEvent> next();

  [[nodiscard]] const std::vector<std::string>& troubles() const { return m_troubles; }
  [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }
  [[nodiscard]] std::optional<std::uint64_t> size() const { return m_file.size(); }

 private:
  explicit RecordingReader(ByteReader file);
  [[nodiscard]] Result<void> readMore();
  void judgeEnd();

  ByteReader m_file;
  Decoder m_decoder;
  std::vector<std::byte> m_buffer;
  std::vector<std::string> m_troubles;
  std::uint64_t m_bytesRead = 0;
  bool m_begun = false;      // a Hello was read
  bool m_endedWell = false;  // the writer's own end was the last thing read
  bool m_atEnd = false;
};

}  // namespace faultline

// RecordingFile: a recording from a file or a pipe, a piece at a time so that a caller can show progress and stop; with
// an index of its key frames, so that any instant of a large recording is a short way off.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/stream/decoder.h"

namespace faultline {

struct StillReading {};  // a piece was read and no event is complete yet: call again
struct RecordingEnd {};

// A snapshot is handed out by pointer into the reader, valid until the next call of next().
using RecordingEvent = std::variant<StillReading, Hello, const Snapshot*, RecordingEnd>;

class RecordingFile {
 public:
  [[nodiscard]] static Result<RecordingFile> open(const std::filesystem::path& path);
  // From where `bytes` stands, which must outlive this; `name` is what error messages call it.
  [[nodiscard]] static RecordingFile read(std::streambuf& bytes, std::filesystem::path name);

  // Reads one piece of the file at most. Damage is passed over and told by remark(). Error: this is no recording, or
  // one of another format, or the file cannot be read; the same again with every further call.
  [[nodiscard]] Result<RecordingEvent> next();

  // The next snapshot will be that of the last key frame at or before `time`, of those read so far; the first one if
  // there is none. Rates need a predecessor: seek a little before the instant that is wanted. Error: not in a pipe.
  [[nodiscard]] Result<void> seek(MonotonicTime time);

  [[nodiscard]] std::uint64_t bytesRead() const { return m_position; }
  // When it was opened, as it may still be growing; absent for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> bytesTotal() const { return m_size; }
  // Of the first reading; going back with seek() does not change them.
  [[nodiscard]] std::uint64_t snapshots() const { return m_snapshots; }
  [[nodiscard]] std::uint64_t lost() const { return m_lost; }
  // What is wrong with the recording, as a sentence; empty if nothing is. Complete after RecordingEnd.
  [[nodiscard]] std::string remark() const;

 private:
  struct KeyPlace {
    MonotonicTime time;
    std::uint64_t offset = 0;
  };

  RecordingFile(std::filesystem::path path, std::unique_ptr<std::istream> file, std::optional<std::uint64_t> size);
  [[nodiscard]] Result<RecordingEvent> take(StreamEvent event);
  [[nodiscard]] Result<RecordingEvent> readMore();
  void note(const Snapshot& snapshot);

  std::filesystem::path m_path;
  std::unique_ptr<std::istream> m_file;
  std::vector<char> m_piece;
  Decoder m_decoder;
  std::vector<KeyPlace> m_keys;
  std::optional<std::uint64_t> m_size;
  std::uint64_t m_position = 0;
  std::uint64_t m_frontier = 0;  // what begins here or later has not been counted yet
  std::uint64_t m_snapshots = 0;
  std::uint64_t m_lost = 0;
  std::uint64_t m_lostSeen = 0;  // by the decoder, also while it reads for the second time
  std::uint64_t m_cutBytes = 0;
  bool m_closed = false;  // the writer ended it on purpose
  bool m_damaged = false;
};

}  // namespace faultline

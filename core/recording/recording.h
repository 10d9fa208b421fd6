// RecordingFile: reads a recording from a file or a pipe, one piece at a time so that the caller can show progress and
// stop.
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

struct StillReading {};  // no event is complete yet: call next() again
struct RecordingEnd {};

// Pointers lead into the reader and are valid until the next call of next().
using RecordingEvent =
    std::variant<StillReading, Hello, const Snapshot*, RecordingEnd, const GameFrameBatch*, const FaultSampleBatch*>;

// The same as from a collector; NeedMoreBytes for StillReading.
[[nodiscard]] StreamEvent streamEvent(const RecordingEvent& event);

class RecordingFile {
 public:
  // Error: the file does not exist, is a folder, is empty or cannot be opened.
  [[nodiscard]] static Result<RecordingFile> open(const std::filesystem::path& path);
  // Reads from the current position of `bytes`, which must outlive this object. Error messages call it `name`.
  [[nodiscard]] static RecordingFile read(std::streambuf& bytes, std::filesystem::path name);

  // Reads at most one piece of the file. Skips damage; remark() reports it. Error: not a recording, another format, or
  // the file cannot be read; every further call repeats the error.
  [[nodiscard]] Result<RecordingEvent> next();

  // Of a file: goes on at the packet that begins at this offset, which is a Hello or a key snapshot (key_index.h).
  void seek(std::uint64_t offset);

  [[nodiscard]] std::uint64_t bytesRead() const { return m_position; }
  // The size when the file was opened (it may still be growing). Absent for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> bytesTotal() const { return m_size; }
  [[nodiscard]] std::uint64_t snapshots() const { return m_snapshots; }
  [[nodiscard]] std::uint64_t gameFrames() const { return m_gameFrames; }
  [[nodiscard]] std::uint64_t lost() const { return m_decoder.snapshotsLost(); }
  // A sentence about damage or a missing end; empty if the recording is intact. Complete after RecordingEnd.
  [[nodiscard]] std::string remark() const;

 private:
  RecordingFile(std::filesystem::path path, std::unique_ptr<std::istream> file, std::optional<std::uint64_t> size);
  [[nodiscard]] Result<RecordingEvent> take(StreamEvent event);
  [[nodiscard]] Result<RecordingEvent> readMore();
  std::size_t feed(std::size_t most);
  [[nodiscard]] std::string wereRead() const;

  std::filesystem::path m_path;
  std::unique_ptr<std::istream> m_file;
  std::vector<char> m_piece;
  Decoder m_decoder;
  std::optional<std::uint64_t> m_size;
  std::uint64_t m_position = 0;
  std::uint64_t m_snapshots = 0;
  std::uint64_t m_gameFrames = 0;
  std::uint64_t m_cutBytes = 0;
  bool m_closed = false;  // the end mark has been read
  bool m_damaged = false;
};

// The first price of a fault that a file tells of that game, in ns. Reads on until then; absent for a pipe.
[[nodiscard]] std::optional<double> priceIn(const std::filesystem::path& path, std::uint32_t pid);

// Whether the file begins as a recording of a game's frames. Reads the beginning; false for a pipe.
[[nodiscard]] bool recordsFrames(const std::filesystem::path& path);

}  // namespace faultline

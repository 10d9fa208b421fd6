// RingRecording: a recording in one file, or in a ring of two. FILE of a ring is renamed to FILE.before whenever it has
// that much time, in place of the one before it: both together have the last `ring` at least, and are a recording if
// one follows the other.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/recording/writer.h"

namespace faultline {

class RingRecording {
 public:
  // `ring`: 0 keeps all in one file.
  RingRecording(std::filesystem::path file, Nanoseconds ring) : m_file(std::move(file)), m_ring(ring) {}

  // `writer` has begun FILE, with data from `since` on; absent: from the first advance(). Removes FILE.before of an
  // earlier ring, which --force replaces.
  void begin(RecordingWriter writer, std::optional<MonotonicTime> since = {});
  // To be called before data of this time is written: a full FILE gives way to one that begins with `hello`, a stream
  // of its own. `spikes`: as RecordingWriter::finish() has them.
  [[nodiscard]] Result<void> advance(MonotonicTime time, const Hello& hello, const std::deque<Spike>* spikes = nullptr);

  [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
  [[nodiscard]] std::optional<RecordingWriter>& writer() { return m_writer; }  // absent before begin()
  [[nodiscard]] const std::optional<RecordingWriter>& writer() const { return m_writer; }
  // Of all that was written, also in files that are gone.
  [[nodiscard]] std::uint64_t bytes() const { return m_earlier.bytes + (m_writer ? m_writer->bytes() : 0); }
  [[nodiscard]] std::uint64_t snapshots() const { return m_earlier.snapshots + (m_writer ? m_writer->snapshots() : 0); }
  [[nodiscard]] std::uint64_t frames() const { return m_earlier.frames + (m_writer ? m_writer->gameFrames() : 0); }

 private:
  std::filesystem::path m_file;
  Nanoseconds m_ring;
  std::optional<RecordingWriter> m_writer;
  std::optional<MonotonicTime> m_turned;  // when the data of the present file began
  struct {
    std::uint64_t bytes = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t frames = 0;
  } m_earlier;  // in files before the present one
};

}  // namespace faultline

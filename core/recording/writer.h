// RecordingWriter: writes Hello and snapshots, or a game's frames, to a file or a pipe. Flushes every packet, so that a
// crash loses at most the packet being written. After a failed write the file is cut to its last whole packet.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/recording/key_places.h"
#include "core/stream/encoder.h"

namespace faultline {

class RecordingWriter {
 public:
  // Overwrites an existing file. Recording may start in the middle of a live stream: `hello` is the Hello of that
  // stream. Error: the file cannot be written.
  [[nodiscard]] static Result<RecordingWriter> create(const std::filesystem::path& path, const Hello& hello);

  // Writes at the current position of `bytes`, which must outlive this object. Error messages call it `name`.
  [[nodiscard]] static Result<RecordingWriter> onto(std::streambuf& bytes, std::filesystem::path name,
                                                    const Hello& hello);

  // The message of an error says how much was saved. After an error nothing more is written and every call repeats it.
  [[nodiscard]] Result<void> add(const Hello& hello);
  [[nodiscard]] Result<void> add(const Snapshot& snapshot);
  [[nodiscard]] Result<void> add(const GameFrameBatch& batch);
  [[nodiscard]] Result<void> add(const FaultSampleBatch& batch);  // with `calls` instead of registers and stack
  // Writes the end mark; without it the reader reports an interrupted recording. `spikes`: those found meanwhile, of
  // which the mark tells those that ended after the first snapshot; absent: nobody looked for any.
  [[nodiscard]] Result<void> finish(const std::deque<Spike>* spikes = nullptr);

  [[nodiscard]] bool readerGone() const { return m_readerGone; }  // the error was a closed pipe (EPIPE)
  [[nodiscard]] std::uint64_t snapshots() const { return m_snapshots; }
  [[nodiscard]] std::uint64_t gameFrames() const { return m_gameFrames; }
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  RecordingWriter(std::filesystem::path path, std::streambuf& bytes, std::unique_ptr<std::filebuf> file);
  [[nodiscard]] static Result<RecordingWriter> begun(RecordingWriter writer, const Hello& hello);
  [[nodiscard]] Result<void> write(std::span<const std::byte> packet);
  [[nodiscard]] Result<void> stop(int error);
  [[nodiscard]] std::string saved() const;

  std::filesystem::path m_path;
  std::streambuf* m_out;
  std::unique_ptr<std::filebuf> m_file;  // owns m_out; null if the caller owns it
  bool m_readerGone = false;
  Encoder m_encoder;
  std::uint64_t m_snapshots = 0;
  std::uint64_t m_gameFrames = 0;  // of the game
  std::uint64_t m_bytes = 0;
  std::uint64_t m_hello = 0;  // place of the last one
  RecordingIndex m_index;     // for the end
  Result<void> m_state;
};

}  // namespace faultline

// RecordingWriter: Hello and snapshots, or the frames of a game, to a file or a pipe. Every frame is handed to the
// system at once, so that a crash costs no more than the frame it happens in; after a failed write the file ends with
// its last whole frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/stream/encoder.h"

namespace faultline {

class RecordingWriter {
 public:
  // Overwrites what is there. Recording may start in the middle of a live stream: `hello` is that stream's.
  [[nodiscard]] static Result<RecordingWriter> create(const std::filesystem::path& path, const Hello& hello);

  // To where `bytes` stands, which must outlive this; `name` is what error messages call it.
  [[nodiscard]] static Result<RecordingWriter> onto(std::streambuf& bytes, std::filesystem::path name,
                                                    const Hello& hello);

  // An error says what was saved; after one, nothing more is written and every call repeats it.
  [[nodiscard]] Result<void> add(const Hello& hello);
  [[nodiscard]] Result<void> add(const Snapshot& snapshot);
  [[nodiscard]] Result<void> add(const GameFrameBatch& batch);
  [[nodiscard]] Result<void> add(const FaultSampleBatch& batch);  // without registers and stacks
  [[nodiscard]] Result<void> finish();  // without it the reader will say that the recording has no end mark

  [[nodiscard]] bool readerGone() const { return m_readerGone; }  // the failure was that nobody reads us any more
  [[nodiscard]] std::uint64_t snapshots() const { return m_snapshots; }
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  RecordingWriter(std::filesystem::path path, std::streambuf& bytes, std::unique_ptr<std::filebuf> file);
  [[nodiscard]] static Result<RecordingWriter> begun(RecordingWriter writer, const Hello& hello);
  [[nodiscard]] Result<void> write(std::span<const std::byte> frame);
  [[nodiscard]] Result<void> stop(int error);
  [[nodiscard]] std::string saved() const;

  std::filesystem::path m_path;
  std::streambuf* m_out;
  std::unique_ptr<std::filebuf> m_file;  // what m_out points to; none: it is somebody else's
  bool m_readerGone = false;
  Encoder m_encoder;
  std::uint64_t m_snapshots = 0;
  std::uint64_t m_frames = 0;  // of a game
  std::uint64_t m_bytes = 0;
  Result<void> m_state;
};

}  // namespace faultline

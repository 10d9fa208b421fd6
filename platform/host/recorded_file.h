// Creates recordings, and rings of them. Recordings hold data of other users' processes: on POSIX systems a new or
// overwritten file gets mode 0600 before data is written.
#pragma once

#include <filesystem>

#include "core/recording/writer.h"

namespace faultline {

enum class Existing { Overwrite, Keep };

// As RecordingWriter::create. Keep: it is an error if a regular file exists, or a link to a file that does not.
[[nodiscard]] Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello,
                                                      Existing existing = Existing::Overwrite);

// Makes the file, empty, with the same rights and errors.
[[nodiscard]] Result<void> makeRecorded(const std::filesystem::path& path, Existing existing);

// A ring: the last stretch of a stream in two files, FILE and FILE.before, which a crash leaves behind. When FILE is
// full, FILE takes the place of FILE.before and begins anew. FILE.before followed by FILE is a recording.
[[nodiscard]] std::filesystem::path beforeOf(const std::filesystem::path& file);

// FILE must be closed: Windows renames no open file.
[[nodiscard]] Result<RecordingWriter> turnRing(const std::filesystem::path& file, const Hello& hello);

// Copies both files, as they are now, to a new one with the mode of recordings. All of it or nothing; a file of the
// ring that does not exist is left out.
[[nodiscard]] Result<void> copyRing(const std::filesystem::path& file, const std::filesystem::path& copy);

}  // namespace faultline

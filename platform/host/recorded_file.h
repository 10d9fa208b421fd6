// Creates recordings. Recordings hold data of other users' processes: on POSIX systems a new or overwritten file gets
// mode 0600 before data is written.
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

}  // namespace faultline

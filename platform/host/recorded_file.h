// Creates recordings. Recordings hold data of other users' processes: on POSIX systems a new or overwritten file gets
// mode 0600 before data is written.
#pragma once

#include <filesystem>

#include "core/recording/writer.h"

namespace faultline {

// As RecordingWriter::create.
[[nodiscard]] Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello);

}  // namespace faultline

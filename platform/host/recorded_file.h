// Where recordings are begun. They reveal other people's processes, so on Linux a new file is its owner's alone
// (mode 0600) from its first moment on, and so becomes one that is overwritten.
#pragma once

#include <filesystem>

#include "core/recording/writer.h"

namespace faultline {

// As RecordingWriter::create.
[[nodiscard]] Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello);

}  // namespace faultline

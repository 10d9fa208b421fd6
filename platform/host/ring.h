// A ring: the last stretch of a stream in two files, FILE and FILE.before, which a crash leaves behind. When FILE is
// full, FILE takes the place of FILE.before and begins anew. FILE.before followed by FILE is a recording.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/recording/writer.h"

namespace faultline {

[[nodiscard]] std::filesystem::path beforeOf(const std::filesystem::path& file);

// FILE must be closed: Windows renames no open file.
[[nodiscard]] Result<RecordingWriter> turnRing(const std::filesystem::path& file, const Hello& hello);

// Copies both files, as they are now, to a new one with the mode of recordings. All of it or nothing; a file of the
// ring that does not exist is left out.
[[nodiscard]] Result<void> copyRing(const std::filesystem::path& file, const std::filesystem::path& copy);

}  // namespace faultline

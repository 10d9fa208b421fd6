// Finds the mapped file of a process that the user names.
#pragma once

#include <span>
#include <string>

#include "platform/host/linux/symbols/game_files.h"
#include "platform/host/mark_finder.h"

namespace faultline {

// `wanted` is a path, the beginning of a file's name ("libSDL2", "libSDL2-2.0.so.0"), or empty for the program.
// NotFound: no file matches (the message lists similar names), or several do (the message lists them).
[[nodiscard]] Result<GameFile, NotFound> pickFile(std::uint32_t pid, std::span<const GameFile> files,
                                                  const std::string& wanted);

}  // namespace faultline

// Replaces a file as a whole: its readers see the old text or the new one.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

// By a draft beside it, FILE.PID, which is renamed; a draft that a killed program has left is removed.
[[nodiscard]] Result<void> replaceFile(const std::filesystem::path& file, std::string_view text);

}  // namespace faultline

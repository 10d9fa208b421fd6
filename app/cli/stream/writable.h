// Whether a file may be written, asked before anything is measured or started for it. It is left as it was.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "platform/host/signals.h"

namespace faultline {

// Error: why not.
[[nodiscard]] Result<void> mayWrite(const std::filesystem::path& file);
// The same for a recording. What was recorded cannot be had again: a file that exists goes only if `force` says so.
[[nodiscard]] Result<void> mayRecord(const std::filesystem::path& file, bool force);

// Opening a pipe waits until somebody reads it: a signal ends us as long as this is held. Of other files it is nothing.
[[nodiscard]] std::unique_ptr<SignalsAsUsual> endableWhileOpening(const std::filesystem::path& file);

}  // namespace faultline

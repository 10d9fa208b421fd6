// Where our own programs lie, and what this one has cost.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

[[nodiscard]] std::filesystem::path executableFolder();
// The collector, beside this program or in ../libexec (../libexec/faultline). Error: where it was looked for.
[[nodiscard]] Result<std::filesystem::path> findCollector(const std::filesystem::path& besideFolder);
[[nodiscard]] Nanoseconds ownCpuTime();  // user and system, all threads

}  // namespace faultline

// Where our own programs lie, and what this one is and has cost.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

// What main() was given, in UTF-8.
[[nodiscard]] std::vector<std::string> programArguments(int count, char** words);
[[nodiscard]] std::filesystem::path executableFolder();
// A program of ours, beside this one or in ../libexec (../libexec/faultline). Error: where it was looked for.
[[nodiscard]] Result<std::filesystem::path> findProgram(const std::filesystem::path& besideFolder,
                                                        const std::string& name);
[[nodiscard]] Result<std::filesystem::path> findCollector(const std::filesystem::path& besideFolder);
[[nodiscard]] bool mayExecute(const std::filesystem::path& program);
[[nodiscard]] bool runsAsRoot();
[[nodiscard]] Nanoseconds ownCpuTime();  // user and system, all threads

}  // namespace faultline

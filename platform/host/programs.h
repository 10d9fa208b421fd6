// The places of Faultline's programs; arguments, rights and CPU time of this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

// The arguments of main(), argv[0] included, in UTF-8.
[[nodiscard]] std::vector<std::string> programArguments(int count, char** words);
[[nodiscard]] std::filesystem::path executableFolder();
// Searches besideFolder, ../libexec and ../libexec/faultline. Error: not found, with the folders searched.
[[nodiscard]] Result<std::filesystem::path> findProgram(const std::filesystem::path& besideFolder,
                                                        const std::string& name);
[[nodiscard]] Result<std::filesystem::path> findCollector(const std::filesystem::path& besideFolder);
[[nodiscard]] bool mayExecute(const std::filesystem::path& program);
// Of a program that changes its user, its group or its capabilities when it is executed; not if it is traced.
[[nodiscard]] bool gainsRights(const std::filesystem::path& program);
[[nodiscard]] bool canRunPresentMon();   // Windows
[[nodiscard]] bool runsAsRoot();         // Windows: elevated
[[nodiscard]] Nanoseconds ownCpuTime();  // user and system, all threads

}  // namespace faultline

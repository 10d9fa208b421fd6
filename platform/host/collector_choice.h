// CollectorChoice: the collector to start, the reason for the choice, and a command that enables more numbers.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace faultline {

struct CollectorChoice {
  std::filesystem::path program;
  std::string why;     // a sentence
  std::string enable;  // a shell command; empty if it would enable nothing
};

// The place of the granted copy; empty on systems without grants.
[[nodiscard]] std::filesystem::path grantedCollector();

// The granted copy if this user may start it and its version is that of this program; else the collector beside this
// program. Starts the copy with --version and waits up to 2 s. Error: no collector found, with the folders searched.
[[nodiscard]] Result<CollectorChoice> chooseCollector(const std::filesystem::path& besideFolder,
                                                      const std::filesystem::path& granted);

// The shell command that grants `collector` its capabilities; empty if faultline-grant is not installed.
[[nodiscard]] std::string grantCommand(const std::filesystem::path& besideFolder,
                                       const std::filesystem::path& collector);

// The path as a single shell argument, quoted if needed.
[[nodiscard]] std::string quotedForShell(const std::filesystem::path& path);

}  // namespace faultline

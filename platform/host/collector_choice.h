// CollectorChoice: which collector to start, why that one, and what it would take to measure more.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace faultline {

struct CollectorChoice {
  std::filesystem::path program;
  std::string why;
  std::string enable;  // empty: nothing is missing
};

// Where the grant puts its copy; empty where there is no such thing.
[[nodiscard]] std::filesystem::path grantedCollector();

// The granted copy if we may start it and it is of our version, else the collector that belongs to this program; takes
// a moment, as the copy is asked for its version. Error: there is none, and where it was looked for.
[[nodiscard]] Result<CollectorChoice> chooseCollector(const std::filesystem::path& besideFolder,
                                                      const std::filesystem::path& granted);

// The command that grants `collector` its capabilities, for a person to type; empty where that cannot be had.
[[nodiscard]] std::string grantCommand(const std::filesystem::path& besideFolder,
                                       const std::filesystem::path& collector);

// A path as an argument that a shell takes for one.
[[nodiscard]] std::string quotedForShell(const std::filesystem::path& path);

}  // namespace faultline

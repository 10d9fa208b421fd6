// Windows: a collector with an administrator's rights, for a program that has none itself and keeps none.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

struct ElevatedCommand {
  std::filesystem::path collector;
  std::vector<std::string> arguments;
  bool byHand = false;  // `tell` gets the command that an administrator types; else the system asks for permission
  std::function<void(std::string_view line)> tell;
};

// Whether runElevated() can give a collector more rights than this process has.
[[nodiscard]] bool canElevate();
// Passes standard input to the collector, and its output to the standard streams of this process, until it ends.
// Returns its exit code. Their connection is three named pipes with a random name, which admit this user alone, and
// this machine; each side checks the process of the other. Error: the permission was declined, the collector did not
// start, or another process took its place; or another system than Windows.
[[nodiscard]] Result<int> runElevated(const ElevatedCommand& command);

}  // namespace faultline

// Runs a Python script of the tests over bytes: proof that what Faultline writes is what others read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace faultline::test {

// What the script (a path below tests/core) prints when `input` is in the file that is its argument; absent when there
// is no python3 on this machine.
[[nodiscard]] std::optional<std::string> runPython(std::string_view script, std::string_view input);

}  // namespace faultline::test

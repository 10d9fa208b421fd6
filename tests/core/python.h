// Runs a Python test script on bytes, to prove that other programs can read Faultline's output.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace faultline::test {

// The output of `script` (a path below tests/core), given a file with `input` as its argument. Absent if the machine
// has no python3.
[[nodiscard]] std::optional<std::string> runPython(std::string_view script, std::string_view input);

}  // namespace faultline::test

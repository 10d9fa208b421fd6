// Messages for the user, on standard error. Data goes through StandardOutput.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "platform/host/standard_output.h"

namespace faultline {

void say(std::string_view line);
void sayOverLine(std::string_view line);       // replaces the terminal's current line and stays on it
void sayLeftOut(std::uint64_t processes);      // the most processes that one snapshot lacked; nothing for 0
void complain(std::string_view line);          // prefixes the line with "faultline-cli: "
[[nodiscard]] int failed(const Error& error);  // complains and returns ExitCode::kFailure
// The exit code after a failed write. Complains unless the reader is gone, as with `| head`.
[[nodiscard]] int failedWrite(const StandardOutput& writer, const Error& error);

}  // namespace faultline

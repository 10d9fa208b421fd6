// Words for the person at the terminal; data never comes this way.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "platform/host/standard_output.h"

namespace faultline {

void say(std::string_view line);               // to standard error, as it is
void sayOverLine(std::string_view line);       // in the place of the terminal's present line, which it leaves open
void sayLeftOut(std::uint64_t processes);      // the most that one snapshot lacked; nothing for 0
void complain(std::string_view line);          // the same, with our name before it
[[nodiscard]] int failed(const Error& error);  // complains; ExitCode::kFailure
// After a failed write: nothing to say when the reader is gone, as `| head` does on purpose.
[[nodiscard]] int failedWrite(const StandardOutput& writer, const Error& error);

}  // namespace faultline

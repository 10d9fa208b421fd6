// The console of a standard stream, if the stream is a console.
#pragma once

#include <windows.h>

#include <optional>
#include <string_view>

#include "platform/host/terminal.h"

namespace faultline {

[[nodiscard]] HANDLE handleOf(StandardStream stream);
// Absent: the stream is not a console.
[[nodiscard]] std::optional<DWORD> consoleMode(StandardStream stream);

// Writes UTF-8 with escape sequences, in any code page and console mode, and restores the mode. False: GetLastError()
// has the reason.
bool writeToConsole(StandardStream stream, std::string_view text);

}  // namespace faultline

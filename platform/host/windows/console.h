// The console behind a standard stream, if there is one.
#pragma once

#include <windows.h>

#include <optional>
#include <string_view>

#include "platform/host/terminal.h"

namespace faultline {

[[nodiscard]] HANDLE handleOf(StandardStream stream);
// Of a console; absent: the stream is something else.
[[nodiscard]] std::optional<DWORD> consoleMode(StandardStream stream);

// UTF-8 with the sequences that colour it, whatever code page and mode the console is in; both stay as they are.
// False: it could not be written, see GetLastError().
bool writeToConsole(StandardStream stream, std::string_view text);

}  // namespace faultline

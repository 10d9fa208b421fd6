#include "platform/host/display.h"

#include <windows.h>

#include <cstdio>

namespace faultline {

bool displayNamed() {
  return true;
}

std::string_view whyNoWindow(bool /*waylandPlugin*/) {
  return "no window can be shown in this session";
}

std::optional<bool> trayOnX() {
  return std::nullopt;
}

// Of Qt's styles, Fusion alone follows a dark palette, and before Qt 6.5 the palette is dark only on request.
DisplayChoice displayChoice() {
  return {.platform = "windows:darkmode=2", .style = "Fusion"};
}

bool joinConsole() {
  if (::GetFileType(::GetStdHandle(STD_OUTPUT_HANDLE)) != FILE_TYPE_UNKNOWN) return true;  // sent to a file or program
  if (::AttachConsole(ATTACH_PARENT_PROCESS) == 0) return false;
  return std::freopen("CONOUT$", "w", stdout) != nullptr && std::freopen("CONOUT$", "w", stderr) != nullptr;
}

}  // namespace faultline

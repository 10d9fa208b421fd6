#include "platform/host/display.h"

#include <cstdlib>

namespace faultline {
namespace {

bool hasValue(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool displayNamed() {
  return hasValue("DISPLAY") || hasValue("WAYLAND_DISPLAY");
}

std::string_view whyNoWindow(bool waylandPlugin) {
  if (hasValue("WAYLAND_DISPLAY") && !waylandPlugin)
    return "this is a Wayland session, and Qt's plug-in for Wayland is not installed (Debian, Ubuntu: the package "
           "qt6-wayland; Fedora: qt6-qtwayland)";
  return "no display can be reached, see DISPLAY or WAYLAND_DISPLAY";
}

DisplayChoice displayChoice() {
  return {};
}

bool joinConsole() {
  return false;
}

}  // namespace faultline

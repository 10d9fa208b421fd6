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

DisplayChoice displayChoice() {
  return {};
}

bool joinConsole() {
  return false;
}

}  // namespace faultline

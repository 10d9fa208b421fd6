#include "platform/host/display.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

namespace faultline {

TEST_CASE("A Wayland session without Qt's plug-in for it is no missing display, and the sentence names the package") {
  const char* const before = std::getenv("WAYLAND_DISPLAY");
  const std::string kept = before == nullptr ? "" : before;
  setenv("WAYLAND_DISPLAY", "wayland-0", 1);
  CHECK(whyNoWindow(false).find("qt6-wayland") != std::string_view::npos);
  CHECK(whyNoWindow(true).find("no display can be reached") != std::string_view::npos);
  unsetenv("WAYLAND_DISPLAY");
  CHECK(whyNoWindow(false).find("no display can be reached") != std::string_view::npos);
  if (before != nullptr) setenv("WAYLAND_DISPLAY", kept.c_str(), 1);
}

}  // namespace faultline

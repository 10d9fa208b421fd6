// Functions that end a frame in one game or another, the preferred ones first, for games that are looked into without
// being told. Pure.
#pragma once

#include <span>
#include <string_view>

namespace faultline {

struct MarkCandidate {
  std::string_view library;  // how the name of its file begins
  std::string_view symbol;
  std::string_view shown{};    // where the symbol is not what the source has
  bool oftenLinkedIn = false;  // games carry a copy of that library in their own program
  bool sendsRequests = false;  // a Wayland client's, of which those count that commit a surface

  [[nodiscard]] constexpr std::string_view name() const { return shown.empty() ? symbol : shown; }
};

// Order: toolkits before what they call, as they know what a frame is, while below them a frame may be presented by one
// of several ways or in parts; dispatching libraries before those they dispatch to; copying a picture, which programs
// that draw without GL do, last. wl_surface_commit is compiled into each client: what it calls stands in its place.
[[nodiscard]] std::span<const MarkCandidate> markCandidates();

// Whether a file of that name is `library`, in any version: "libGL" is libGL.so.1.7.0, but not libGLX.so.0.
[[nodiscard]] bool isLibrary(std::string_view fileName, std::string_view library);
// The part of a library's file name that its users know: "libSDL2-2.0.so.0" of "libSDL2-2.0.so.0.2600.5".
[[nodiscard]] std::string_view libraryName(std::string_view fileName);

}  // namespace faultline

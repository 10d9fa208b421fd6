// Library functions that end a frame, in order of preference, for games without a mark of their own. Pure.
#pragma once

#include <span>
#include <string_view>

#include "core/model/watch_request.h"

namespace faultline {

struct MarkCandidate {
  std::string_view library;  // prefix of its file name
  std::string_view symbol;
  std::string_view shown{};    // for display, if the source uses another name
  bool oftenLinkedIn = false;  // games often contain a copy of the library
  ProbeCalls calls = ProbeCalls::All;

  [[nodiscard]] constexpr std::string_view name() const { return shown.empty() ? symbol : shown; }
};

// Order: toolkits before the functions they call, since a toolkit knows what a frame is and lower layers may present a
// frame in several ways or parts; dispatching libraries before the ones they dispatch to; functions that copy a picture
// (programs without GL) last. wl_surface_commit is inlined into clients, so the function it calls takes its place.
[[nodiscard]] std::span<const MarkCandidate> markCandidates();

// Whether `fileName` is any version of `library`: "libGL" matches libGL.so.1.7.0, but not libGLX.so.0.
[[nodiscard]] bool isLibrary(std::string_view fileName, std::string_view library);
// A library's file name without its minor versions: "libSDL2-2.0.so.0" of "libSDL2-2.0.so.0.2600.5".
[[nodiscard]] std::string_view libraryName(std::string_view fileName);

}  // namespace faultline

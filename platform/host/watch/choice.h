// WatchChoice: what a collector is to take for the end of a game's frames, and why that: the game's own marks if it
// sets any, else the calls of a function, else an assumed rate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/game_frame.h"
#include "core/model/watch_request.h"
#include "platform/host/mark_finder.h"

namespace faultline {

inline constexpr std::uint32_t kAssumedRate = 60;  // frames a second, for games of which nothing better is known

enum class FrameEnd : std::uint8_t { OwnMarks, Function, AssumedRate };

struct WatchChoice {
  std::uint32_t pid = 0;
  FrameEnd by = FrameEnd::OwnMarks;
  std::string mark{};                   // which of the game's own; empty: the first it has set
  std::vector<ProbePoint> functions{};  // the preferred ones first
  std::uint32_t rate = 0;
  std::string why{};  // sentences for a person: what ends a frame; of an assumed rate also what would give true frames

  bool operator==(const WatchChoice&) const = default;
};

// `who` is nameProcess(pid).
[[nodiscard]] WatchChoice chooseWatch(std::uint32_t pid, const std::string& who, const FoundMarks& found);
[[nodiscard]] WatchChoice watchFunction(std::uint32_t pid, ProbePoint function);
[[nodiscard]] WatchChoice watchOwnMarks(std::uint32_t pid, const std::string& mark = {});
// `reason` is a sentence, or empty if a person wants it so.
[[nodiscard]] WatchChoice watchAtRate(std::uint32_t pid, std::uint32_t rate, const std::string& reason = {});

// For the collector: "watch", the process, and the rest. `patience` is how long to wait for a first mark of the game's
// own; faults are told whole from when those of a frame have taken a quarter of what it takes to flag it.
[[nodiscard]] std::vector<std::string> watchArguments(const WatchChoice& choice, Nanoseconds patience,
                                                      SampleMode samples, Nanoseconds budget);

// Of a function's calls: "SDL_GL_SwapWindow (libSDL2-2.0.so.0) has not been called yet."
[[nodiscard]] std::string notCalledText(const WatchChoice& choice);
[[nodiscard]] std::string waitingText(const WatchChoice& choice);  // "Waiting for the first frame: ", and that

}  // namespace faultline

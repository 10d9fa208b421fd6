// WatchChoice: the event that ends a game's frames, and the reason: the game's own marks if there are any, else the
// calls of a function, else the frames that PresentMon tells (Windows), else an assumed rate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/game_frame.h"
#include "core/model/watch_request.h"
#include "core/watch/mark_source.h"
#include "core/watch/options.h"

namespace faultline {

inline constexpr std::uint32_t kAssumedRate = 60;  // frames per second, for games without marks or known functions

struct WatchChoice {
  std::uint32_t pid = 0;
  FrameEnd by = FrameEnd::OwnMarks;
  std::string mark{};                   // name of the game's own mark; empty: see preferredMark()
  std::vector<ProbePoint> functions{};  // in order of preference
  std::uint32_t rate = 0;               // assumed frames per second
  std::string presentMon{};             // path of the program that tells the frames
  std::string why{};  // sentences for the user: the end of a frame; for an assumed rate also the way to true frames

  bool operator==(const WatchChoice&) const = default;
};

// `who` is nameProcess(pid).
[[nodiscard]] WatchChoice chooseWatch(std::uint32_t pid, const std::string& who, const FoundMarks& found);
[[nodiscard]] WatchChoice watchFunction(std::uint32_t pid, ProbePoint function);
[[nodiscard]] WatchChoice watchByPresentMon(std::uint32_t pid, const std::string& program);
[[nodiscard]] WatchChoice watchOwnMarks(std::uint32_t pid, const std::string& mark = {});
// `reason`: why a rate is assumed, as a sentence; empty if the user asked for it.
[[nodiscard]] WatchChoice watchAtRate(std::uint32_t pid, std::uint32_t rate, const std::string& reason = {});

// A request to a collector. `patience`: how long it waits for the game's first own mark. Faults are told whole once
// those of a frame have taken 2.5 % of the budget, a quarter of the share that flags a frame.
[[nodiscard]] WatchOptions watchOptions(const WatchChoice& choice, Nanoseconds patience, SampleMode samples,
                                        Nanoseconds budget);

// "SDL_GL_SwapWindow (libSDL2-2.0.so.0) has not been called yet."
[[nodiscard]] std::string notCalledText(const WatchChoice& choice);
[[nodiscard]] std::string waitingText(const WatchChoice& choice);  // "Waiting for the first frame: " + notCalledText()

}  // namespace faultline

// SweepRequest and WatchOptions: requests to a collector, also as arguments of its command line.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/quality.h"
#include "core/model/watch_request.h"

namespace faultline {

// Limits how long this program may stand still (platform/sampling/standstill.h). 0 lifts the limit.
using StandstillLimit = std::function<Result<void>(Nanoseconds)>;

struct SweepRequest {
  Nanoseconds interval = std::chrono::milliseconds(500);
  bool faultTime = true;
  bool sampling = true;    // of the clearing of pages, by timers that interrupt each processor 249 times a second
  bool faster = false;     // while a spike runs or a game is watched
  bool attended = false;   // standard input tells whether the numbers are on show
  bool synthetic = false;  // a synthetic machine in place of this one
  bool windows = false;    // that machine has the numbers of Windows
  std::uint32_t seed = 1;  // of that machine: each has patterns of its own
};

[[nodiscard]] std::vector<std::string> sweepArguments(const SweepRequest& request);  // with the command's name, "sweep"

// The end of a frame: the calls of `probes`, if there are any; else `assumedRate`, if it is not 0; else as `presentMon`
// tells it, if that is not empty; else the game's own marks.
struct WatchOptions {
  std::uint32_t pid = 0;
  std::string mark{};                // of the game's own; empty: see preferredMark()
  Nanoseconds patience{0};           // how long to wait for the first of the game's own marks
  std::uint32_t assumedRate = 0;     // frames a second
  std::string presentMon{};          // path of that program, which is started and read
  std::vector<ProbePoint> probes{};  // the preferred ones first; the first of them that is called counts
  SampleMode samples = SampleMode::None;
  bool stacks = true;  // of the samples; without, many more of all faults are kept
  Nanoseconds sampleAfter = std::chrono::microseconds(500);
  Nanoseconds delay{0};    // of each fault, in alternate stretches of frames; 0: none
  bool synthetic = false;  // a synthetic game in place of the process

  // Set by the collector itself, and never on a command line:
  Unavailable noSlot{};               // why no program may run at the faults of all processes; no reason: it may
  Unavailable noDelay{};              // why no fault may be delayed; no reason: faults may
  StandstillLimit limitStandstill{};  // in effect while probes stand in the game; empty: no limit
};

// Bounds of WatchOptions::delay.
inline constexpr Nanoseconds kShortestDelay{100};
inline constexpr Nanoseconds kLongestDelay = std::chrono::microseconds(100);

[[nodiscard]] std::vector<std::string> watchArguments(const WatchOptions& options);  // with the command's name, "watch"
// Without the command's name. Error: a sentence that names the argument.
[[nodiscard]] Result<WatchOptions> parseWatchArguments(std::span<const std::string> arguments);
extern const char* const kWatchHelp;  // the arguments, for a person

}  // namespace faultline

// The part of a watch that its asker chooses: the functions whose calls end frames, and the faults that are told whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

// What ends a game's frames.
enum class FrameEnd : std::uint8_t {
  OwnMarks,     // its calls of faultline_frame()
  Function,     // calls of a function
  AssumedRate,  // nothing that the game does: frames of equal length
  Log,          // the frame times that another tool has written
  Other,        // a newer collector's way
};
[[nodiscard]] std::string_view wireName(FrameEnd end);  // in Hello and in JSON: "header", "uprobe", "assumed", ...
[[nodiscard]] FrameEnd frameEndOf(std::string_view wireName);

// Which calls of a function end a frame.
enum class ProbeCalls : std::uint8_t {
  All,
  SurfaceCommits,  // it sends a Wayland client's requests: those that are wl_surface.commit
};

// A function whose calls end frames: where its code lies in a file that the game has mapped.
struct ProbePoint {
  std::string file;          // as the game itself sees it (/proc/PID/maps)
  std::uint64_t offset = 0;  // in the file, not in memory
  std::string name;          // for people
  ProbeCalls calls = ProbeCalls::All;

  bool operator==(const ProbePoint&) const = default;
};

// Which faults are told whole.
enum class SampleMode : std::uint8_t {
  None,
  Spikes,  // every 16th, once a frame's faults have taken `sampleAfter`; every 16th where time is not measured
  Some,    // every 16th
  All,
};
inline constexpr std::uint32_t kSampleEvery = 16;
[[nodiscard]] std::string_view nameOf(SampleMode mode);  // on command lines: "none", "spikes", "some", "all"
[[nodiscard]] std::optional<SampleMode> sampleModeOf(std::string_view name);

}  // namespace faultline

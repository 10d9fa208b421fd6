// A reader's choices for a watch: the event that ends frames, and the faults that are sampled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

// The event that ends a game's frames.
enum class FrameEnd : std::uint8_t {
  OwnMarks,     // the game calls faultline_frame()
  Function,     // calls of a function
  AssumedRate,  // no event: frames of equal length
  Log,          // frame times recorded by another tool
  Other,        // unknown: sent by a newer collector
};
[[nodiscard]] std::string_view wireName(FrameEnd end);  // in Hello and in JSON: "header", "uprobe", "assumed", ...
[[nodiscard]] FrameEnd frameEndOf(std::string_view wireName);

// The calls of a function that end a frame.
enum class ProbeCalls : std::uint8_t {
  All,
  SurfaceCommits,  // calls that send the Wayland request wl_surface.commit
  Parts,           // the first of calls that follow each other closely: each may show a part of a picture
  Lookups,         // none; the function hands out others by name, and Hello tells the one that presents frames
};

// A function whose calls end frames, by its place in a file that the game has mapped.
struct ProbePoint {
  std::string file;          // path in the game's view (/proc/PID/maps)
  std::uint64_t offset = 0;  // in the file, not in memory
  std::string name;          // for people
  ProbeCalls calls = ProbeCalls::All;

  bool operator==(const ProbePoint&) const = default;
};

// The faults that are sampled.
enum class SampleMode : std::uint8_t {
  None,
  Spikes,  // every 16th, after a frame's faults have taken `sampleAfter`; every 16th if time is not measured
  Some,    // every 16th
  All,
};
inline constexpr std::uint32_t kSampleEvery = 16;
[[nodiscard]] std::string_view nameOf(SampleMode mode);  // on command lines: "none", "spikes", "some", "all"
[[nodiscard]] std::optional<SampleMode> sampleModeOf(std::string_view name);

}  // namespace faultline

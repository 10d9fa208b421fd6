// FrameTimes: start and duration of a game's frames as logged by another tool: the CSV of PresentMon (1.x and 2.x), of
// tools that write its columns (OCAT, CapFrameX, FrameView), of MangoHud, Fraps and Unreal's CSV profiler. Pure. Rows
// without a valid frame are omitted and counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/join/left_out.h"

namespace faultline {

// The clock of the starts of frames.
enum class TimesClock : std::uint8_t {
  Counter,  // the machine's steady clock (QueryPerformanceCounter): comparable without alignment
  Log,      // relative to the beginning of the log, whose time is unknown
};

// A hundred years; later times are invalid.
inline constexpr Nanoseconds kLatest = std::chrono::hours(24 * 365 * 100);

struct FrameSpan {
  Nanoseconds start{0};
  Nanoseconds duration{0};
  std::uint64_t line = 0;  // of the log, from 1; 0: unknown

  bool operator==(const FrameSpan& other) const { return start == other.start && duration == other.duration; }
  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

struct FrameTimes {
  std::string tool;         // "PresentMon", "OCAT", "MangoHud"
  std::string program;      // as named by the tool; empty if it does not
  std::uint32_t pid = 0;    // 0: unknown
  std::string swapChain{};  // as named by the tool; empty if it does not
  TimesClock clock = TimesClock::Log;
  std::string columns;         // source of the times: "QPCTime, msBetweenPresents"
  bool sampled = false;        // contains only some of the frames
  bool namedAtEnd = false;     // the time in the file name is the end of the log, not its beginning
  std::uint64_t headLine = 0;  // the line of the columns, from 1
  LeftOut leftOut{};
  std::vector<FrameSpan> frames;  // by start

  [[nodiscard]] std::uint64_t rows() const { return frames.size() + leftOut.total(); }
};

// One entry for each process and swap chain, most frames first; the last ones may have none. `text` is that of
// timesText(). `ticksPerSecond` is the QueryPerformanceFrequency of that machine; without it, the durations in the log
// determine it. Error: none of the tools wrote the text, or it has no valid frame; the message continues a sentence
// that begins with the file's name.
[[nodiscard]] Result<std::vector<FrameTimes>> parseFrameTimes(std::string_view text,
                                                              std::optional<double> ticksPerSecond = {});

// The local time in a file name ("game_2026-11-21_22-15-03.csv", "PresentMon-2026-11-21T221503.csv"), as ns since 1970
// as if it were UTC; absent if there is none.
[[nodiscard]] std::optional<Nanoseconds> localTimeInName(std::string_view name);

}  // namespace faultline

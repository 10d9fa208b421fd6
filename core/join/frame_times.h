// FrameTimes: when the frames of one game began and how long they lasted, as another tool wrote it down: the CSV of
// PresentMon (1.x and 2.x) or of MangoHud. Pure and mistrustful: a row that tells no frame is left out and counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

// What the starts of the frames are counted from.
enum class TimesClock : std::uint8_t {
  Counter,  // the machine's own steady clock (QueryPerformanceCounter): joined as it is
  Log,      // an instant of which only the log knows: when it was begun
};

// A hundred years; nothing happens later, and what claims to is left out.
inline constexpr Nanoseconds kLatest = std::chrono::hours(24 * 365 * 100);

struct FrameSpan {
  Nanoseconds start{0};
  Nanoseconds duration{0};

  bool operator==(const FrameSpan&) const = default;
  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

struct FrameTimes {
  std::string tool;       // "PresentMon", "MangoHud"
  std::string program;    // as the tool names it; empty: it does not
  std::uint32_t pid = 0;  // 0: not told
  TimesClock clock = TimesClock::Log;
  std::string columns;      // that the times were taken from: "QPCTime, msBetweenPresents"
  bool sampled = false;     // only some frames are in it
  bool namedAtEnd = false;  // the time in the file's name is that of the log's end, not of its beginning
  std::uint64_t leftOut = 0;
  std::vector<FrameSpan> frames;  // by start
};

// One for each process (and each of its swap chains), the one with the most frames first; at least one frame in each.
// `ticksPerSecond` is what QueryPerformanceFrequency said there; without it, it is found by the durations beside it.
// Error: neither tool wrote this, or it tells no frame.
[[nodiscard]] Result<std::vector<FrameTimes>> parseFrameTimes(std::string_view text,
                                                              std::optional<double> ticksPerSecond = {});

// The local time in a file's name ("game_2026-11-21_22-15-03.csv", "PresentMon-2026-11-21T221503.csv"), as if it were
// UTC; absent if there is none.
[[nodiscard]] std::optional<Nanoseconds> localTimeInName(std::string_view name);

}  // namespace faultline

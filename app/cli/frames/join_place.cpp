#include "app/cli/frames/join_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>

#include "core/join/frame_align.h"
#include "core/text/duration.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kHalfSecond = 500ms;  // half the resolution of a time in a file's name
constexpr Nanoseconds kAgree = 2s;          // largest difference between the time in a file's name and its mtime
constexpr Nanoseconds kWriting = 100ms;     // from the last frame to the file's mtime, at most

struct Guess {
  WallTime time;
  Nanoseconds giveOrTake{0};
};

// Converts local time (since 1970) to UTC; absent for a local time that does not exist.
std::optional<WallTime> fromLocal(Nanoseconds local) {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::sys_time<Nanoseconds>(local));
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss time(local - days.time_since_epoch());
  std::tm parts{};
  parts.tm_year = static_cast<int>(date.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.tm_hour = static_cast<int>(time.hours().count());
  parts.tm_min = static_cast<int>(time.minutes().count());
  parts.tm_sec = static_cast<int>(time.seconds().count());
  parts.tm_isdst = -1;
  const std::time_t seconds = std::mktime(&parts);
  if (seconds == -1) return std::nullopt;
  return WallTime{std::chrono::seconds(seconds) + time.subseconds()};
}

std::optional<WallTime> lastWritten(const std::filesystem::path& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return std::nullopt;
  return WallTime{std::chrono::file_clock::to_sys(time).time_since_epoch()};
}

Nanoseconds lastEnd(const FrameTimes& log) {
  return std::ranges::max_element(log.frames, {}, &FrameSpan::end)->end();
}

// The wall time at which the log's clock was zero: by the file's mtime, unless the file's name contradicts it.
std::optional<Guess> logBeginning(const JoinInput& input) {
  const Nanoseconds length = lastEnd(input.log);
  const auto written = lastWritten(input.logFile);
  const auto local = localTimeInName(input.logFile.filename().string());
  const auto named = local ? fromLocal(*local + kHalfSecond) : std::nullopt;
  if (!named) return written ? std::optional(Guess{{written->sinceEpoch - length}, kAgree}) : std::nullopt;
  const Nanoseconds byName = named->sinceEpoch - (input.log.namedAtEnd ? length : 0ns);
  if (written && std::chrono::abs(written->sinceEpoch - length - byName) < kAgree)
    return Guess{{written->sinceEpoch - length}, kWriting};
  return Guess{{byName}, input.log.tool == "MangoHud" ? kHalfSecond : kAgree};
}

struct Clocks {
  ClockPair pair;
  Nanoseconds giveOrTake{0};
};

std::optional<Clocks> recordingClocks(const JoinInput& input) {
  if (input.recorded.clocks) return Clocks{*input.recorded.clocks, 0ns};
  const auto written = lastWritten(input.recordingFile);
  if (!written) return std::nullopt;
  const GameFrame& last = input.recorded.slots.back();
  return Clocks{{last.start + last.duration, *written}, kWriting};
}

MonotonicTime onSteadyClock(const ClockPair& clocks, WallTime time) {
  return clocks.steady + (time.sinceEpoch - clocks.wall.sinceEpoch);
}

// The log's zero, or its first frame if the log uses a clock whose zero is elsewhere.
Nanoseconds beginningOf(const FrameTimes& log) {
  return log.clock == TimesClock::Log ? 0ns : log.frames.front().start;
}

// "all 260", "1 547 of 1 740"
std::string howMany(const FrameAlignment& fit) {
  if (fit.matched == fit.compared) return "all " + formatCount(fit.compared);
  return formatCount(fit.matched) + " of " + formatCount(fit.compared);
}

// If the recording has frames too, `how` says how many of them fit.
JoinPlace at(MonotonicTime begin, const JoinInput& input, std::string how) {
  const Nanoseconds offset = begin.sinceEpoch - beginningOf(input.log);
  if (input.recorded.kind == SlotKind::Frames) {
    const FrameAlignment fit = fitAt(input.log.frames, input.recorded.slots, offset);
    how += fmt::format("; {} frames there last as long as the recorded frames", howMany(fit));
  }
  return {{.offset = offset, .tolerance = 0ns}, std::move(how)};
}

// "-1.5s", "0", "2026-11-21 22:15:03.25"
Result<JoinPlace> byAnchor(const JoinInput& input) {
  std::string_view text = input.anchor;
  if (const auto local = localTimeInName(text)) {
    const auto clocks = recordingClocks(input);
    Nanoseconds fraction{0};
    if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
      double part = 0;
      const std::string digits = "0" + std::string(text.substr(point));
      std::from_chars(digits.data(), digits.data() + digits.size(), part);
      fraction = Nanoseconds(static_cast<std::int64_t>(part * 1e9));
    }
    const auto wall = fromLocal(*local + fraction);
    if (!wall || !clocks) return fail("The recording has no wall time for that --anchor. Give --anchor as a duration.");
    return at(onSteadyClock(clocks->pair, *wall), input, "as --anchor says, by the wall clock");
  }
  const bool before = text.starts_with('-');
  if (before || text.starts_with('+')) text.remove_prefix(1);
  const auto duration = text == "0" ? Result<Nanoseconds>(0ns) : parseDuration(text);
  if (!duration)
    return fail("--anchor " + input.anchor +
                " is neither a time after the start of the recording, such as 1.5s or -300ms, nor a local time such as "
                "'2026-11-21 22:15:03'.");
  const MonotonicTime first = input.recorded.slots.front().start;
  return at(before ? first - *duration : first + *duration, input, "as --anchor says");
}

Result<JoinPlace> byDurations(const JoinInput& input) {
  const auto found = alignFrames(input.log.frames, input.recorded.slots);
  if (!found) return tl::unexpected(found.error());
  constexpr Nanoseconds kLeast = 50us;
  constexpr Nanoseconds kMost = 1ms;
  JoinPlace place{{.offset = found->offset, .tolerance = std::clamp(5 * found->deviation, kLeast, kMost)}, {}};
  place.how = fmt::format(
      "found by the durations of the frames: {} last as long as the recorded frames there, whose ends differ by {}; "
      "the "
      "place explains {} of the variance of the durations, the next best place {}",
      howMany(*found), formatDuration(found->deviation), formatPercent(std::max(found->explained, 0.0)),
      formatPercent(std::max(found->runnerUp, 0.0)));
  return place;
}

Result<JoinPlace> byFileTimes(const JoinInput& input) {
  const auto begin = logBeginning(input);
  const auto clocks = recordingClocks(input);
  if (!begin || !clocks)
    return fail("The start of " + input.logFile.string() + " is not known. Give it with --anchor.");
  const Nanoseconds giveOrTake = begin->giveOrTake + clocks->giveOrTake;
  return at(
      onSteadyClock(clocks->pair, begin->time), input,
      fmt::format("by the times of the files, give or take {}: faults may be assigned to a frame that much earlier or "
                  "later. For an exact place give --anchor, or record frames by their marks",
                  formatDuration(giveOrTake)));
}

}  // namespace

Result<JoinPlace> placeLog(const JoinInput& input) {
  if (!input.anchor.empty()) return byAnchor(input);
  if (input.log.clock == TimesClock::Counter && input.recorded.clock == "QueryPerformanceCounter")
    return JoinPlace{{}, "exact: both are on the machine's performance counter"};
  if (input.recorded.kind != SlotKind::Frames) return byFileTimes(input);
  auto place = byDurations(input);
  if (!place)
    return fail(place.error().message + " Give the start of the log with --anchor, such as --anchor 1.5s for 1.5 s " +
                "after the start of the recording.");
  return place;
}

}  // namespace faultline

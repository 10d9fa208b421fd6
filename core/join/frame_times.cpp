#include "core/join/frame_times.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "core/join/mangohud_csv.h"
#include "core/join/plain_csv.h"
#include "core/join/presentmon_csv.h"
#include "core/join/times_text.h"

namespace faultline {
namespace {

constexpr int kRowsBeforeHead = 16;  // MangoHud's system information and versions

// Takes exactly `digits` digits.
std::optional<unsigned> takeDigits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool takeOneOf(std::string_view& text, std::string_view any) {
  if (text.empty() || any.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// "2026-11-21_22-15-03", "2026-11-21T221503"
std::optional<Nanoseconds> takeLocalTime(std::string_view text) {
  constexpr std::array<std::size_t, 6> kDigits{4, 2, 2, 2, 2, 2};
  std::array<unsigned, 6> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == 1 || i == 2) {
      if (!takeOneOf(text, "-")) return std::nullopt;
    } else if (i == 3) {
      if (!takeOneOf(text, "_T ")) return std::nullopt;
    } else if (i > 3) {
      (void)takeOneOf(text, "-:");
    }
    const auto part = takeDigits(text, kDigits.at(i));
    if (!part) return std::nullopt;
    parts.at(i) = *part;
  }
  const auto [year, month, day, hour, minute, second] = parts;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok() || year < 1971 || year > 2200 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::vector<FrameTimes> parseFrom(const std::vector<std::string_view>& head, CsvRows& rows,
                                  std::optional<double> ticksPerSecond) {
  for (const auto parse : {parseMangoHud, parseFraps, parseUnreal})
    if (auto times = parse(head, rows)) return {std::move(*times)};
  return parsePresentMon(head, rows, ticksPerSecond).value_or(std::vector<FrameTimes>());
}

std::vector<FrameTimes> parseAny(std::string_view text, std::optional<double> ticksPerSecond) {
  CsvRows rows(text);
  for (int i = 0; i < kRowsBeforeHead;) {
    const auto* row = rows.next();
    if (row == nullptr) return {};
    if (row->front().starts_with("//")) continue;  // CapFrameX's lines about the machine
    ++i;
    const std::uint64_t line = rows.line();
    auto all = parseFrom(std::vector(*row), rows, ticksPerSecond);
    for (FrameTimes& times : all) times.headLine = line;
    if (!all.empty()) return all;
  }
  return {};
}

}  // namespace

Result<std::vector<FrameTimes>> parseFrameTimes(std::string_view text, std::optional<double> ticksPerSecond) {
  std::vector<FrameTimes> all = parseAny(text, ticksPerSecond);
  if (all.empty())
    return fail("has no frame times: its first lines have the columns of none of " + std::string(timesTools()) +
                ". Give the CSV with a row per frame, not a summary.");
  std::ranges::stable_sort(all, std::greater{},
                           [](const FrameTimes& times) { return std::pair(times.frames.size(), times.pid); });
  if (all.front().frames.empty()) {
    const auto bad = std::ranges::find_if(all, [](const FrameTimes& times) { return !times.leftOut.first.empty(); });
    return fail("has the right columns but no frames: " +
                (bad == all.end() ? "no row follows them" : bad->leftOut.first) + ".");
  }
  for (FrameTimes& times : all)
    std::ranges::sort(times.frames, {}, [](const FrameSpan& span) { return std::pair(span.start, span.duration); });
  return all;
}

std::optional<Nanoseconds> localTimeInName(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i)
    if (const auto time = takeLocalTime(name.substr(i))) return time;
  return std::nullopt;
}

}  // namespace faultline

#include "core/join/plain_csv.h"

#include <cmath>

namespace faultline {
namespace {

constexpr double kMostMs = 9e9;  // a hundred days

// A time in ms; absent, and told by `leftOut`, if the field holds none above `least`.
std::optional<Nanoseconds> timeIn(const std::vector<std::string_view>& row, std::size_t column, std::string_view name,
                                  double least, std::uint64_t line, LeftOut& leftOut) {
  const auto ms = csvNumber(row, column);
  if (ms && *ms >= least && *ms < kMostMs) return Nanoseconds(std::llround(*ms * 1e6));
  if (column >= row.size()) leftOut.add(RowFault::Cut, line);
  else leftOut.add(ms ? RowFault::OutOfRange : RowFault::NoNumber, line, name, row[column]);
  return std::nullopt;
}

}  // namespace

std::optional<FrameTimes> parseFraps(const std::vector<std::string_view>& head, CsvRows& rows) {
  constexpr std::string_view kTime = "Time (ms)";
  if (head.size() != 2 || findColumn(head, "Frame") != 0 || findColumn(head, kTime) != 1) return std::nullopt;
  FrameTimes times{.tool = "Fraps", .program = {}, .columns = std::string(kTime), .frames = {}};
  std::optional<Nanoseconds> last;
  while (const auto* row = rows.next()) {
    const auto at =
        timeIn(*row, 1, kTime, last ? static_cast<double>(last->count() + 1) / 1e6 : 0, rows.line(), times.leftOut);
    if (at && last) times.frames.push_back({*last, *at - *last, rows.line()});
    if (at) last = at;
  }
  return times;
}

std::optional<FrameTimes> parseUnreal(const std::vector<std::string_view>& head, CsvRows& rows) {
  constexpr std::string_view kTime = "FrameTime";
  const auto column = findColumn(head, kTime);
  if (!column || !findColumn(head, "GameThreadTime")) return std::nullopt;
  FrameTimes times{.tool = "Unreal's CSV profiler", .program = {}, .columns = std::string(kTime), .frames = {}};
  Nanoseconds at{0};
  while (const auto* row = rows.next()) {
    const bool atEnd = row->front().starts_with('[') || (*column < row->size() && (*row)[*column] == kTime);
    if (atEnd) continue;
    const auto lasted = timeIn(*row, *column, kTime, 1e-6, rows.line(), times.leftOut);
    if (!lasted) continue;
    times.frames.push_back({at, *lasted, rows.line()});
    at += *lasted;
    if (at > kLatest) break;
  }
  return times;
}

}  // namespace faultline

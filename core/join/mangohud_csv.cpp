#include "core/join/mangohud_csv.h"

#include <array>
#include <cmath>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr double kLongest = 9e15;              // ns: a hundred days
constexpr double kMillisecondsBelow = 31'623;  // frames per second times frame time: 1000 if in ms, 1 000 000 if in us
constexpr double kGap = 1.5;

struct Row {
  double fps = 0;
  double frameTime = 0;
  double elapsed = 0;
  std::uint64_t line = 0;
};

constexpr std::array<std::string_view, 3> kNames{"fps", "frametime", "elapsed"};

std::optional<Row> readRow(const std::vector<std::string_view>& row, std::uint64_t line,
                           const std::array<std::size_t, 3>& columns, LeftOut& leftOut) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = columns.at(i);
    if (column >= row.size()) {
      leftOut.add(RowFault::Cut, line);
      return std::nullopt;
    }
    const auto value = csvNumber(row, column);
    const bool inRange = value && *value >= 0 && *value <= kLongest && (*value > 0 || i != 1);
    if (!inRange) {
      leftOut.add(value ? RowFault::OutOfRange : RowFault::NoNumber, line, kNames.at(i), row[column]);
      return std::nullopt;
    }
    values.at(i) = *value;
  }
  return Row{values[0], values[1], values[2], line};
}

// Median time between rows, in frame times.
double stride(const std::vector<Row>& rows) {
  std::vector<double> ratios;
  ratios.reserve(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i)
    ratios.push_back((rows[i].elapsed - rows[i - 1].elapsed) / rows[i].frameTime);
  return median(std::move(ratios)).value_or(1);
}

}  // namespace

std::optional<FrameTimes> parseMangoHud(const std::vector<std::string_view>& head, CsvRows& rows) {
  std::array<std::size_t, 3> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = findColumn(head, kNames.at(i));
    if (!column) return std::nullopt;
    columns.at(i) = *column;
  }
  FrameTimes times{.tool = "MangoHud", .program = {}, .columns = "elapsed, frametime", .frames = {}};
  std::vector<Row> good;
  while (const auto* fields = rows.next())
    if (const auto row = readRow(*fields, rows.line(), columns, times.leftOut)) good.push_back(*row);
  std::vector<double> products;
  products.reserve(good.size());
  for (const Row& row : good)
    if (row.fps > 0) products.push_back(row.fps * row.frameTime);  // MangoHud writes 0 until it has counted
  const bool inMilliseconds = median(std::move(products)).value_or(0) < kMillisecondsBelow;
  times.namedAtEnd = !inMilliseconds;  // version 0.6.9 changed the unit and the name together
  for (Row& row : good) row.frameTime *= inMilliseconds ? 1e6 : 1e3;
  if (stride(good) < 0.1)  // versions of 2020 log microseconds
    for (Row& row : good) row.elapsed *= 1e3;
  times.sampled = stride(good) > kGap;
  for (const Row& row : good) {
    if (row.elapsed > kLongest || row.frameTime > kLongest) {
      times.leftOut.add(RowFault::OutOfRange, row.line);
      continue;
    }
    const Nanoseconds duration(std::llround(row.frameTime));
    times.frames.push_back({Nanoseconds(std::llround(row.elapsed)) - duration, duration, row.line});
  }
  return times;
}

}  // namespace faultline

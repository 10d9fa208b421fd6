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
};

std::optional<Row> readRow(const std::vector<std::string_view>& row, const std::array<std::size_t, 3>& columns) {
  const auto fps = csvNumber(row, columns[0]);
  const auto frameTime = csvNumber(row, columns[1]);
  const auto elapsed = csvNumber(row, columns[2]);
  if (!fps || !frameTime || !elapsed || *fps < 0 || *frameTime <= 0 || *elapsed < 0) return std::nullopt;
  if (*fps > kLongest || *frameTime > kLongest || *elapsed > kLongest) return std::nullopt;
  return Row{*fps, *frameTime, *elapsed};
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
  const auto fps = findColumn(head, "fps");
  const auto frameTime = findColumn(head, "frametime");
  const auto elapsed = findColumn(head, "elapsed");
  if (!fps || !frameTime || !elapsed) return std::nullopt;
  const std::array columns{*fps, *frameTime, *elapsed};
  FrameTimes times{.tool = "MangoHud", .program = {}, .columns = "elapsed, frametime", .frames = {}};
  std::vector<Row> good;
  while (const auto* fields = rows.next()) {
    if (const auto row = readRow(*fields, columns)) good.push_back(*row);
    else ++times.leftOut;
  }
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
      ++times.leftOut;
      continue;
    }
    const Nanoseconds duration(std::llround(row.frameTime));
    times.frames.push_back({Nanoseconds(std::llround(row.elapsed)) - duration, duration});
  }
  return times;
}

}  // namespace faultline

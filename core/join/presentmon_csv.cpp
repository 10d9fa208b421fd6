#include "core/join/presentmon_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/median.h"
#include "core/parse/number.h"

namespace faultline {
namespace {

constexpr double kLongestNs = 9e15;  // ns: a hundred days
constexpr double kNsPerMs = 1e6;
constexpr double kUsualTicks = 1e7;  // per second, on all recent versions of Windows

// A pair of columns with the times of frames. Column names are compared ignoring case.
struct Pair {
  const char* time;
  const char* duration;  // in ms
  bool timeIsEnd;        // the time of the Present call that ends the frame; else the frame's start
  bool counter;
  double unit;        // ns; 0: determined from the rows
  bool date = false;  // the time is a local date and time; converted to ns since the first row
};

// In order of preference: the machine's clock before the log's, calls of Present before starts of work. 2.4 writes both
// clocks with --qpc_time_ms.
constexpr std::array kPairs{
    Pair{"QPCTime", "msBetweenPresents", true, true, 0},
    Pair{"TimeInQPC", "msBetweenPresents", true, true, 0},
    Pair{"CPUStartQPC", "FrameTime", false, true, 0},
    Pair{"CPUStartQPC", "msBetweenAppStart", false, true, 0},
    Pair{"CPUStartQPCTime", "FrameTime", false, true, kNsPerMs},
    Pair{"CPUStartQPCTimeInMs", "msBetweenAppStart", false, true, kNsPerMs},
    Pair{"TimeInSeconds", "msBetweenPresents", true, false, 1e9},
    Pair{"TimeInMs", "msBetweenPresents", true, false, kNsPerMs},
    Pair{"CPUStartTime", "FrameTime", false, false, 1e9},
    Pair{"CPUStartTimeInSeconds", "msBetweenAppStart", false, false, 1e9},
    Pair{"CPUStartTimeInMs", "msBetweenAppStart", false, false, kNsPerMs},
    Pair{"CPUStartTime", "msBetweenAppStart", false, false, 1e9},
    Pair{"TimeInDateTime", "msBetweenPresents", true, false, 1, true},
    Pair{"CPUStartDateTime", "FrameTime", false, false, 1, true},
    Pair{"CPUStartDateTime", "msBetweenAppStart", false, false, 1, true},
};

struct TimedRow {
  double time = 0;
  double duration = 0;  // ns
  std::uint64_t line = 0;
};

struct Series {
  LeftOut leftOut;
  std::vector<TimedRow> rows;
};

using SeriesKey = std::tuple<std::uint32_t, std::string_view, std::string_view>;  // pid, program, swap chain

struct FoundPair {
  Pair pair;
  std::size_t time = 0;
  std::size_t duration = 0;
};

std::optional<FoundPair> pairIn(const std::vector<std::string_view>& head) {
  for (const Pair& pair : kPairs) {
    const auto time = findColumn(head, pair.time);
    const auto duration = findColumn(head, pair.duration);
    if (time && duration) return FoundPair{pair, *time, *duration};
  }
  return std::nullopt;
}

// Nanoseconds per unit of the time column: the same column name has stood for seconds, milliseconds and ticks.
double unitOf(const Series& series, const Pair& pair, std::optional<double> ticksPerSecond) {
  if (pair.date) return pair.unit;
  std::vector<double> ratios;
  ratios.reserve(series.rows.size());
  for (std::size_t i = 1; i < series.rows.size(); ++i) {
    const double step = series.rows[i].time - series.rows[i - 1].time;
    const double duration = series.rows[pair.timeIsEnd ? i : i - 1].duration;
    if (step > 0 && duration > 0) ratios.push_back(duration / step);
  }
  const auto unit = median(std::move(ratios));
  if (!unit) return pair.unit > 0 ? pair.unit : 1e9 / ticksPerSecond.value_or(kUsualTicks);
  for (const double known : {1e9, kNsPerMs})
    if (*unit > known / 30 && *unit < known * 30) return known;
  if (ticksPerSecond) return 1e9 / *ticksPerSecond;
  const double usual = 1e9 / kUsualTicks;
  return std::abs(*unit / usual - 1) < 0.01 ? usual : *unit;
}

// CapFrameX replaces the times of several runs by the sums of the durations before: starts in place of ends.
bool timesAreSums(const Series& series, double unit) {
  double asEnds = 0;
  double asStarts = 0;
  for (std::size_t i = 1; i < series.rows.size(); ++i) {
    const double step = (series.rows[i].time - series.rows[i - 1].time) * unit;
    asEnds += std::abs(step - series.rows[i].duration);
    asStarts += std::abs(step - series.rows[i - 1].duration);
  }
  return asStarts * 10 < asEnds;
}

FrameTimes framesOf(const SeriesKey& key, const Series& series, const Pair& pair, std::string_view tool,
                    std::optional<double> ticksPerSecond) {
  FrameTimes times{.tool = std::string(tool),
                   .program = unquoted(std::get<1>(key)),
                   .pid = std::get<0>(key),
                   .swapChain = std::string(std::get<2>(key)),
                   .clock = pair.counter ? TimesClock::Counter : TimesClock::Log,
                   .columns = std::string(pair.time) + ", " + pair.duration,
                   .leftOut = series.leftOut,
                   .frames = {}};
  const double unit = unitOf(series, pair, ticksPerSecond);
  const bool ends = pair.timeIsEnd && !timesAreSums(series, unit);
  for (const TimedRow& row : series.rows) {
    const double time = row.time * unit;
    if (!(std::abs(time) < kLongestNs) || row.duration > kLongestNs) {
      times.leftOut.add(RowFault::OutOfRange, row.line);
      continue;
    }
    const Nanoseconds duration(std::llround(row.duration));
    const Nanoseconds at(std::llround(time));
    times.frames.push_back({ends ? at - duration : at, duration, row.line});
  }
  return times;
}

std::string_view fieldOf(const std::vector<std::string_view>& row, std::optional<std::size_t> column) {
  return column && *column < row.size() ? row[*column] : std::string_view();
}

// "2026-11-22 14:03:22.123456789"; months, days and hours have one digit or two.
std::optional<Nanoseconds> dateTime(std::string_view text) {
  std::array<std::uint64_t, 6> parts{};
  constexpr std::string_view kSeparators = "-- ::";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = takeNumber(text);
    if (!number || *number > 9999) return std::nullopt;
    parts[i] = *number;
    const bool separated = i == kSeparators.size() || takeByte(text, kSeparators[i]) || (i == 2 && takeByte(text, 'T'));
    if (!separated) return std::nullopt;
  }
  const auto [year, month, day, hour, minute, second] = parts;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1970 || year > 2200 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  Nanoseconds fraction{0};
  if (takeByte(text, '.')) {
    Nanoseconds digit = std::chrono::milliseconds(100);
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), digit /= 10)
      fraction += (text.front() - '0') * digit;
  }
  return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + fraction;
}

// Frames generated by the driver are not the game's.
bool isGameFrame(std::string_view frameType) {
  return frameType.empty() || frameType == "Application" || frameType == "Unspecified" || frameType == "NotSet";
}

// Tools that write PresentMon's columns, by a column of their own.
std::string_view toolOf(const std::vector<std::string_view>& head) {
  if (findColumn(head, kCapFrameXRun)) return "CapFrameX";
  if (findColumn(head, "Motherboard")) return "OCAT";
  return findColumn(head, "Resolution") ? "FrameView" : "PresentMon";
}

class Reader {
 public:
  Reader(const std::vector<std::string_view>& head, const FoundPair& found)
      : m_found(found),
        m_width(head.size()),
        m_pid(findColumn(head, "ProcessID")),
        m_program(findColumn(head, "Application")),
        m_chain(findColumn(head, "SwapChainAddress")),
        m_type(findColumn(head, "FrameType")) {
    if (!m_chain) m_chain = findColumn(head, kCapFrameXRun);
    // OCAT writes the columns of the machine in the first row alone, so a row may be shorter than the head. The field
    // after the last one that is read tells that no field that is read was cut.
    std::size_t last = std::max(found.time, found.duration);
    for (const auto& column : {m_pid, m_program, m_chain, m_type}) last = std::max(last, column.value_or(0));
    m_least = std::min(last + 2, m_width);
  }

  [[nodiscard]] SeriesKey key(const std::vector<std::string_view>& row) const {
    const double id = m_pid ? csvNumber(row, *m_pid).value_or(0) : 0;
    return {id > 0 && id < 4e9 ? static_cast<std::uint32_t>(id) : 0, fieldOf(row, m_program), fieldOf(row, m_chain)};
  }

  void read(const std::vector<std::string_view>& row, std::uint64_t line, Series& series) {
    const auto full = std::ranges::find_if_not(row.rbegin(), row.rend(), &std::string_view::empty);
    const auto filled = static_cast<std::size_t>(row.rend() - full);  // a tool may end its rows with a comma
    if (row.size() < m_least || filled > m_width) return series.leftOut.add(RowFault::Cut, line);
    if (const auto type = fieldOf(row, m_type); !isGameFrame(type))
      return series.leftOut.add(RowFault::Generated, line, "FrameType", type);
    const auto at = timeIn(row);
    const auto lasted = csvNumber(row, m_found.duration);
    const Pair& pair = m_found.pair;
    const auto bad = [&](RowFault fault, bool time) {
      series.leftOut.add(fault, line, time ? pair.time : pair.duration, row[time ? m_found.time : m_found.duration]);
    };
    if (!at || !lasted) return bad(RowFault::NoNumber, !at);
    const bool timed = std::abs(*at) < kLongestNs;
    if (!timed || *lasted <= 0 || *lasted >= kLongestNs) return bad(RowFault::OutOfRange, !timed);
    series.rows.push_back({*at, *lasted * kNsPerMs, line});
  }

  [[nodiscard]] Pair pair() const {
    Pair pair = m_found.pair;
    if (m_dates) pair.unit = 1;
    pair.date |= m_dates;
    return pair;
  }

 private:
  // PresentMon writes dates in the columns of seconds, too (--v1_metrics --date_time).
  std::optional<double> timeIn(const std::vector<std::string_view>& row) {
    if (const auto number = csvNumber(row, m_found.time); number && !m_dates) return number;
    const auto time = dateTime(fieldOf(row, m_found.time));
    if (!time) return std::nullopt;
    if (!m_dates) m_first = *time;
    m_dates = true;
    return static_cast<double>((*time - m_first).count());
  }

  FoundPair m_found;
  std::size_t m_width;
  std::size_t m_least = 0;
  std::optional<std::size_t> m_pid, m_program, m_chain, m_type;
  bool m_dates = false;
  Nanoseconds m_first{0};  // of the dates
};

}  // namespace

std::optional<std::vector<FrameTimes>> parsePresentMon(const std::vector<std::string_view>& head, CsvRows& rows,
                                                       std::optional<double> ticksPerSecond) {
  const auto found = pairIn(head);
  if (!found) return std::nullopt;
  Reader reader(head, *found);
  std::map<SeriesKey, Series> all;
  while (const auto* row = rows.next()) reader.read(*row, rows.line(), all[reader.key(*row)]);
  if (all.empty()) all[{}];  // columns without rows
  std::vector<FrameTimes> times;
  times.reserve(all.size());
  for (const auto& [key, series] : all)
    times.push_back(framesOf(key, series, reader.pair(), toolOf(head), ticksPerSecond));
  return times;
}

}  // namespace faultline

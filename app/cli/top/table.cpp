#include "app/cli/top/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cli/text/width.h"
#include "app/cli/top/spark.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr int kGap = 2;
constexpr int kWidestName = 40;
constexpr int kWidestCommand = 200;
constexpr int kNarrowedName = 6;  // columns that the name gives up to keep one number beside it
constexpr Nanoseconds kSparkLength = 60s;
constexpr Nanoseconds kSpikeShown = 10s;

int totalWidth(const auto& places) {
  int width = -kGap;
  for (const auto& place : places) width += place.width + kGap;
  return width;
}

std::string number(const Paint& paint, const std::string& text, bool dim, int width) {
  return paint(dim ? Tone::Dim : Tone::Plain, rightIn(text, width));
}

std::string cellOf(const Paint& paint, ProcessMetric metric, std::optional<double> value, int width) {
  if (!value) return paint(Tone::Dim, rightIn(kUnavailable, width));
  const auto whole = static_cast<std::uint64_t>(std::llround(*value));
  const Unit unit = field(metric).unit;
  return number(paint,
                unit == Unit::Bytes      ? formatBytes(whole)
                : unit == Unit::Duration ? formatDuration(Nanoseconds(static_cast<std::int64_t>(whole)))
                                         : formatCount(whole),
                whole == 0, width);
}

}  // namespace

const std::vector<TopTable::Place>& TopTable::allPlaces() {
  static const std::vector<Place> kPlaces = [] {
    std::vector<Place> places{{Column::Pid, "pid", 7, 12}, {Column::Name, "process", 16, 14}};
    std::vector<Place> levels;
    std::vector<Place> totals;
    const auto add = [](Column column, const MetricColumn& info, ProcessMetric metric, std::vector<Place>& to) {
      if (info.width > 0) to.push_back({column, info.title, info.width, info.importance, metric});
    };
    for (const auto& row : kProcessFields) {
      add(Column::Rate, row.rate, row.metric, places);
      if (row.metric == ProcessMetric::MajorFaults) places.push_back({Column::Peak, "peak/s", 8, 7});
      add(Column::Level, row.level, row.metric, row.kind == MetricKind::Gauge ? levels : totals);
    }
    places.push_back({Column::Spark, "last minute", 20, 4});
    places.insert(places.end(), levels.begin(), levels.end());
    places.insert(places.end(), totals.begin(), totals.end());
    return places;
  }();
  return kPlaces;
}

TopTable::TopTable(const Monitor& monitor, const Moment& moment, int columns, const Paint& paint, Command command)
    : m_monitor(monitor), m_moment(moment), m_paint(paint), m_command(std::move(command)), m_places(allPlaces()) {
  if (m_command) {
    const auto named = std::ranges::find(m_places, Column::Name, &Place::column);
    named->title = "user  service  command";
    named->width = std::max(named->width, columns / 2);
  }
  std::erase_if(m_places, [this](const Place& place) { return !measured(place); });
  const auto tooWide = [&] { return totalWidth(m_places) > columns + (m_places.size() == 2 ? kNarrowedName : 0); };
  while (m_places.size() > 1 && tooWide()) m_places.erase(std::ranges::min_element(m_places, {}, &Place::importance));
  const auto name = std::ranges::find(m_places, Column::Name, &Place::column);
  const int widest = m_command ? kWidestCommand : kWidestName;
  name->width = std::min(name->width + columns - totalWidth(m_places), widest);
}

// Columns of metrics that need a privilege take no room without it.
bool TopTable::measured(const Place& place) const {
  return field(place.metric).needs == Needs::Nothing ||
         m_monitor.hello().quality(place.metric).grade != Grade::Unavailable;
}

std::string TopTable::header(SortBy sort) const {
  const auto sorted = [&](const Place& place) {
    if (sort.column == SortBy::Column::Peak) return place.column == Column::Peak;
    if (sort.column == SortBy::Column::Name) return place.column == Column::Name;
    const Column column = field(sort.metric).rate.sort.empty() ? Column::Level : Column::Rate;
    return place.column == column && place.metric == sort.metric;
  };
  std::string line;
  for (const Place& place : m_places) {
    if (!line.empty()) line += std::string(kGap, ' ');
    const bool left = place.column == Column::Name || place.column == Column::Spark;
    const std::string title = (sorted(place) ? "▾" : "") + std::string(place.title);
    line += m_paint(sorted(place) ? Tone::Strong : Tone::Dim,
                    left ? leftIn(title, place.width) : rightIn(title, place.width));
  }
  return line;
}

std::string TopTable::row(const ProcessRow& row) const {
  std::string line;
  for (const Place& place : m_places) {
    if (!line.empty()) line += std::string(kGap, ' ');
    line += cell(place, row);
  }
  return line;
}

std::string TopTable::cell(const Place& place, const ProcessRow& row) const {
  const int width = place.width;
  switch (place.column) {
    case Column::Pid:
      return m_paint(Tone::Dim, rightIn(std::to_string(row.key.pid), width));
    case Column::Name: {
      const bool accent = spiking(row);
      const Tone tone = accent ? Tone::Accent : row.exited ? Tone::Dim : Tone::Plain;
      const std::string command = m_command ? m_command(row) : std::string();
      const std::string name = command.empty() ? printableName(row.name) : command;
      return m_paint(tone, leftIn((accent ? "◆ " : "") + name + (row.exited ? " · ended" : ""), width));
    }
    case Column::Peak: {
      const double peak = m_monitor.peak(row.key);
      return number(m_paint, formatRate(peak), peak == 0, width);
    }
    case Column::Spark: {
      const MonotonicTime from = m_moment.time - kSparkLength;
      const auto buckets = m_monitor.history().process(row.key, ProcessMetric::MinorFaults, from, m_moment.time,
                                                       static_cast<std::size_t>(width));
      return spark(buckets, from, m_moment.time, width);
    }
    case Column::Rate:
      return rateCell(row, place);
    case Column::Level:
      break;
  }
  const auto value = row.values.get(place.metric);
  return cellOf(m_paint, place.metric, value ? std::optional(static_cast<double>(*value)) : std::nullopt, width);
}

std::string TopTable::rateCell(const ProcessRow& row, const Place& place) const {
  const auto perSecond = m_moment.perSecond(row.deltas.get(place.metric));
  if (!perSecond || field(place.metric).unit != Unit::Count)
    return cellOf(m_paint, place.metric, perSecond, place.width);
  if (spiking(row, place.metric)) return m_paint(Tone::Accent, rightIn(formatRate(*perSecond), place.width));
  return number(m_paint, formatRate(*perSecond), *perSecond == 0, place.width);
}

bool TopTable::spiking(const ProcessRow& row, ProcessMetric metric) const {
  return std::ranges::any_of(m_monitor.spikes(), [&](const Spike& spike) {
    return spike.metric == metric && spike.key == row.key && m_moment.time - spike.end <= kSpikeShown;
  });
}

bool TopTable::spiking(const ProcessRow& row) const {
  return spiking(row, ProcessMetric::MinorFaults) || spiking(row, ProcessMetric::MajorFaults);
}

}  // namespace faultline

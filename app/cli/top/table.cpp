#include "app/cli/top/table.h"

#include <algorithm>
#include <cmath>

#include "app/cli/text/width.h"
#include "app/cli/top/spark.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr int kGap = 2;
constexpr int kWidestName = 40;
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

std::string bytesCell(const Paint& paint, std::optional<std::uint64_t> bytes, int width) {
  return number(paint, bytes ? formatBytes(*bytes) : std::string(kUnavailable), bytes.value_or(0) == 0, width);
}

std::string durationCell(const Paint& paint, std::optional<std::uint64_t> ns, int width) {
  const std::string text = ns ? formatDuration(Nanoseconds(static_cast<std::int64_t>(*ns))) : std::string(kUnavailable);
  return number(paint, text, ns.value_or(0) == 0, width);
}

std::string countCell(const Paint& paint, std::optional<std::uint64_t> count, int width) {
  return number(paint, count ? formatCount(*count) : std::string(kUnavailable), count.value_or(0) == 0, width);
}

}  // namespace

const std::vector<TopTable::Place>& TopTable::allPlaces() {
  static const std::vector<Place> kPlaces{
      {Column::Pid, "pid", 7, 12},
      {Column::Name, "process", 16, 14},
      {Column::Minor, "minor/s", 8, 13},
      {Column::Major, "major/s", 8, 9},
      {Column::Peak, "peak/s", 8, 7},
      {Column::FaultTime, "in faults/s", 12, 11},
      {Column::Zeroed, "zeroed/s", 9, 10},
      {Column::Spark, "last minute", 20, 4},
      {Column::Commit, "commit", 9, 6},
      {Column::Resident, "resident", 9, 5},
      {Column::MinorTotal, "minor", 14, 2},
      {Column::MajorTotal, "major", 11, 1},
      {Column::FaultTimeTotal, "in faults", 12, 3},
  };
  return kPlaces;
}

TopTable::TopTable(const Monitor& monitor, const Moment& moment, int columns, const Paint& paint)
    : m_monitor(monitor), m_moment(moment), m_paint(paint), m_places(allPlaces()) {
  std::erase_if(m_places, [this](const Place& place) { return !measured(place.column); });
  const auto tooWide = [&] { return totalWidth(m_places) > columns + (m_places.size() == 2 ? kNarrowedName : 0); };
  while (m_places.size() > 1 && tooWide()) m_places.erase(std::ranges::min_element(m_places, {}, &Place::importance));
  const auto name = std::ranges::find(m_places, Column::Name, &Place::column);
  name->width = std::min(name->width + columns - totalWidth(m_places), kWidestName);
}

bool TopTable::measured(Column column) const {
  const auto available = [this](ProcessMetric metric) {
    return m_monitor.hello().quality(metric).grade != Grade::Unavailable;
  };
  if (column == Column::FaultTime || column == Column::FaultTimeTotal) return available(ProcessMetric::FaultTime);
  return column != Column::Zeroed || available(ProcessMetric::ZeroedBytes);
}

std::string TopTable::header(SortBy sort) const {
  static constexpr std::array kSorted{Column::Minor,    Column::Major,     Column::Peak,   Column::Commit,
                                      Column::Resident, Column::FaultTime, Column::Zeroed, Column::Name};
  std::string line;
  for (const Place& place : m_places) {
    if (!line.empty()) line += std::string(kGap, ' ');
    const bool sorted = kSorted[static_cast<std::size_t>(sort)] == place.column;
    const bool left = place.column == Column::Name || place.column == Column::Spark;
    const std::string title = sorted ? std::string("▾") + place.title : place.title;
    line += m_paint(sorted ? Tone::Strong : Tone::Dim, left ? leftIn(title, place.width) : rightIn(title, place.width));
  }
  return line;
}

std::string TopTable::row(const ProcessRow& row) const {
  std::string line;
  for (const Place& place : m_places) {
    if (!line.empty()) line += std::string(kGap, ' ');
    line += cell(place.column, row, place.width);
  }
  return line;
}

std::string TopTable::cell(Column column, const ProcessRow& row, int width) const {
  switch (column) {
    case Column::Pid:
      return m_paint(Tone::Dim, rightIn(std::to_string(row.key.pid), width));
    case Column::Name: {
      const bool accent = spiking(row);
      const Tone tone = accent ? Tone::Accent : row.exited ? Tone::Dim : Tone::Plain;
      return m_paint(tone,
                     leftIn((accent ? "◆ " : "") + printableName(row.name) + (row.exited ? " · ended" : ""), width));
    }
    case Column::Minor:
      return rateCell(row, ProcessMetric::MinorFaults, width);
    case Column::Major:
      return rateCell(row, ProcessMetric::MajorFaults, width);
    case Column::Peak: {
      const double peak = m_monitor.peak(row.key);
      return number(m_paint, formatRate(peak), peak == 0, width);
    }
    case Column::FaultTime:
      return durationCell(m_paint, perSecond(row, ProcessMetric::FaultTime), width);
    case Column::FaultTimeTotal:
      return durationCell(m_paint, row.values.get(ProcessMetric::FaultTime), width);
    case Column::Zeroed:
      return bytesCell(m_paint, perSecond(row, ProcessMetric::ZeroedBytes), width);
    case Column::Spark: {
      const MonotonicTime from = m_moment.time - kSparkLength;
      const auto buckets =
          m_monitor.history().process(row.key, Series::MinorRate, from, m_moment.time, static_cast<std::size_t>(width));
      return spark(buckets, from, m_moment.time, width);
    }
    case Column::Commit:
      return bytesCell(m_paint, row.values.get(ProcessMetric::CommitBytes), width);
    case Column::Resident:
      return bytesCell(m_paint, row.values.get(ProcessMetric::ResidentBytes), width);
    case Column::MinorTotal:
      return countCell(m_paint, row.values.get(ProcessMetric::MinorFaults), width);
    case Column::MajorTotal:
      return countCell(m_paint, row.values.get(ProcessMetric::MajorFaults), width);
  }
  return {};
}

std::optional<std::uint64_t> TopTable::perSecond(const ProcessRow& row, ProcessMetric metric) const {
  const auto rate = m_moment.perSecond(row.deltas.get(metric));
  return rate ? std::optional(static_cast<std::uint64_t>(std::llround(*rate))) : std::nullopt;
}

std::string TopTable::rateCell(const ProcessRow& row, ProcessMetric metric, int width) const {
  const auto perSecond = m_moment.perSecond(row.deltas.get(metric));
  if (!perSecond) return m_paint(Tone::Dim, rightIn(kUnavailable, width));
  if (spiking(row, metric)) return m_paint(Tone::Accent, rightIn(formatRate(*perSecond), width));
  return number(m_paint, formatRate(*perSecond), *perSecond == 0, width);
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

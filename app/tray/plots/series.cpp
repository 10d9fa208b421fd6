#include "app/tray/plots/series.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr int kPixelsPerColumn = 2;
constexpr int kFewestColumns = 50;

}  // namespace

void PlotSeries::setWidth(int pixels) {
  m_columns = static_cast<std::size_t>(std::max(pixels / kPixelsPerColumn, kFewestColumns));
}

std::vector<Line> PlotSeries::lines(Panel panel, const Theme& theme) const {
  std::vector<Line> lines;
  for (LineKind& kind : wholeLines(panel, m_followed.has_value(), theme, m_monitor.hello())) {
    Line& line = lines.emplace_back();
    line.buckets = kind.machine ? machineBuckets(*kind.machine, kind.scale) : buckets(m_followed, kind.series);
    line.process = m_followed;
    if (!kind.machine && kind.series == ProcessMetric::ZeroedBytes)
      line.times = buckets(m_followed, ProcessMetric::ZeroingTime);
    line.kind = std::move(kind);
  }
  if (m_followed || lines.empty() || lines.front().kind.machine) return lines;
  std::ranges::move(pinnedLines(panel, theme, lines.front().kind.estimated), std::back_inserter(lines));
  return lines;
}

std::vector<Line> PlotSeries::pinnedLines(Panel panel, const Theme& theme, bool estimated) const {
  std::vector<Line> lines;
  const std::vector<QString> names = pinNames(m_pins, m_monitor.history());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Pin& pin = m_pins.all()[i];
    lines.push_back({{.name = names[i],
                      .series = processSeries(panel),
                      .colour = theme.pins[pin.colour],
                      .estimated = estimated,
                      .pin = pin.colour},
                     buckets(pin.key, processSeries(panel)),
                     {},
                     pin.key});
  }
  return lines;
}

std::optional<double> PlotSeries::at(const Line& line, ProcessMetric metric, MonotonicTime instant) const {
  if (line.kind.machine) return std::nullopt;
  const History& history = m_monitor.history();
  const auto value = line.process ? history.at(*line.process, metric, instant) : history.totalAt(metric, instant);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<Bucket> PlotSeries::highest(Panel panel, MonotonicTime from, MonotonicTime to) const {
  std::vector<Bucket> near = total(processSeries(panel));
  std::erase_if(near, [&](const Bucket& bucket) { return bucket.end < from || bucket.start > to; });
  return near.empty() ? std::nullopt : std::optional(*std::ranges::max_element(near, {}, &Bucket::max));
}

std::vector<Bucket> PlotSeries::buckets(std::optional<ProcessKey> key, ProcessMetric metric) const {
  const History& history = m_monitor.history();
  return key ? history.process(*key, metric, m_view.from(), m_view.to(), m_columns)
             : history.total(metric, m_view.from(), m_view.to(), m_columns);
}

std::vector<Bucket> PlotSeries::machineBuckets(SystemMetric metric, float scale) const {
  const auto cyclesPerSecond = m_monitor.now().system.get(SystemMetric::CyclesPerSecond).value_or(0);
  if (countsCycles(metric)) scale = cyclesPerSecond > 0 ? 1e9F / static_cast<float>(cyclesPerSecond) : 0;
  std::vector<Bucket> buckets = m_monitor.history().machine(metric, m_view.from(), m_view.to(), m_columns);
  for (Bucket& bucket : buckets) {
    bucket.min *= scale;
    bucket.mean *= scale;
    bucket.max *= scale;
  }
  return buckets;
}

}  // namespace faultline

#include "app/tray/plots/series.h"

#include <algorithm>

#include "core/monitor/alignment.h"

namespace faultline {
namespace {

constexpr int kPixelsPerColumn = 2;
constexpr int kFewestColumns = 50;

// The visible range, at the times of a recording that is moved by `shift`.
struct Columns {
  MonotonicTime from;
  MonotonicTime to;
  std::size_t count;
};

std::vector<Bucket> bucketsIn(const History& history, std::optional<ProcessKey> key, ProcessMetric metric,
                              const Columns& columns) {
  return key ? history.process(*key, metric, columns.from, columns.to, columns.count)
             : history.total(metric, columns.from, columns.to, columns.count);
}

std::vector<Bucket> machineBuckets(const Monitor& monitor, SystemMetric metric, float scale, const Columns& columns) {
  const auto cyclesPerSecond = monitor.now().system.get(SystemMetric::CyclesPerSecond).value_or(0);
  if (countsCycles(metric)) scale = cyclesPerSecond > 0 ? 1e9F / static_cast<float>(cyclesPerSecond) : 0;
  std::vector<Bucket> buckets = monitor.history().machine(metric, columns.from, columns.to, columns.count);
  for (Bucket& bucket : buckets) {
    bucket.min *= scale;
    bucket.mean *= scale;
    bucket.max *= scale;
  }
  return buckets;
}

}  // namespace

void PlotSeries::follow(std::optional<ProcessKey> key) {
  m_followed = key;
  findCounterpart();
}

void PlotSeries::setBeside(std::optional<BesideRun> run) {
  m_beside = std::move(run);
  findCounterpart();
}

void PlotSeries::findCounterpart() {
  m_counterpart =
      m_followed && m_beside ? counterpart(m_monitor, *m_followed, *m_beside->monitor, m_beside->shift) : std::nullopt;
}

void PlotSeries::setWidth(int pixels) {
  m_columns = static_cast<std::size_t>(std::max(pixels / kPixelsPerColumn, kFewestColumns));
}

std::vector<Line> PlotSeries::lines(Panel panel, const Theme& theme) const {
  std::vector<Line> lines;
  for (LineKind& kind : wholeLines(panel, m_followed.has_value(), theme, m_monitor.hello())) {
    Line& line = lines.emplace_back();
    line.buckets = kind.machine
                       ? machineBuckets(m_monitor, *kind.machine, kind.scale, {m_view.from(), m_view.to(), m_columns})
                       : buckets(m_followed, kind.series);
    line.process = m_followed;
    if (!kind.machine && kind.series == ProcessMetric::ZeroedBytes)
      line.times = buckets(m_followed, ProcessMetric::ZeroingTime);
    line.kind = std::move(kind);
  }
  if (m_beside && !lines.empty()) lines.insert(lines.begin() + 1, besideLineOf(lines.front(), theme));
  if (m_followed || lines.empty() || lines.front().kind.machine) return lines;
  std::ranges::move(pinnedLines(panel, theme, lines.front().kind.estimated), std::back_inserter(lines));
  return lines;
}

// Of a process, that of the same name. A series that the second recording does not measure is a line without values.
Line PlotSeries::besideLineOf(const Line& first, const Theme& theme) const {
  const Monitor& second = *m_beside->monitor;
  Line line;
  line.kind = besideLine(first.kind, *m_beside, theme);
  line.beside = true;
  line.process = m_counterpart;
  if (m_followed && !line.process) return line;
  const Columns columns{m_view.from() - m_beside->shift, m_view.to() - m_beside->shift, m_columns};
  line.buckets = line.kind.machine ? machineBuckets(second, *line.kind.machine, line.kind.scale, columns)
                                   : bucketsIn(second.history(), line.process, line.kind.series, columns);
  for (Bucket& bucket : line.buckets) {
    bucket.start = bucket.start + m_beside->shift;
    bucket.end = bucket.end + m_beside->shift;
  }
  return line;
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
  if (line.kind.machine || (line.beside && m_followed && !line.process)) return std::nullopt;
  if (line.beside) instant = instant - m_beside->shift;
  const History& history = line.beside ? m_beside->monitor->history() : m_monitor.history();
  const auto value = line.process ? history.at(*line.process, metric, instant) : history.totalAt(metric, instant);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> PlotSeries::now(const Line& line, ProcessMetric metric) const {
  if (line.kind.machine || line.beside) return std::nullopt;
  const Moment& shown = m_monitor.shown();
  if (!line.process && metric == ProcessMetric::CommitBytes) {
    const auto committed = shown.system.get(SystemMetric::CommittedBytes);
    return committed ? std::optional(static_cast<double>(*committed)) : std::nullopt;
  }
  if (field(metric).kind != MetricKind::Counter) return std::nullopt;
  const ProcessRow* const row = line.process ? shown.find(*line.process) : nullptr;
  if (line.process && row == nullptr) return std::nullopt;
  return shown.perSecond((row != nullptr ? row->deltas : shown.processTotal).get(metric));
}

std::optional<Bucket> PlotSeries::highest(Panel panel, MonotonicTime from, MonotonicTime to) const {
  std::vector<Bucket> near = total(processSeries(panel));
  std::erase_if(near, [&](const Bucket& bucket) { return bucket.end < from || bucket.start > to; });
  return near.empty() ? std::nullopt : std::optional(*std::ranges::max_element(near, {}, &Bucket::max));
}

std::vector<Bucket> PlotSeries::buckets(std::optional<ProcessKey> key, ProcessMetric metric) const {
  return bucketsIn(m_monitor.history(), key, metric, {m_view.from(), m_view.to(), m_columns});
}

}  // namespace faultline

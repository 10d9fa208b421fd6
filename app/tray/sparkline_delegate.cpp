#include "app/tray/sparkline_delegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/tray/process_model.h"
#include "app/tray/row_ground.h"

namespace faultline {
namespace {

constexpr Nanoseconds kSpan = std::chrono::minutes(1);
constexpr Nanoseconds kShrink = std::chrono::seconds(10);  // time constant of a scale that has become too large
constexpr double kLeastTop = 1000;                         // faults per second: below it a row looks as idle as it is
constexpr int kMargin = 3;
constexpr std::size_t kMostScales = 2000;

double seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

double xOf(MonotonicTime time, MonotonicTime end, const QRectF& space) {
  return space.right() - seconds(end - time) / seconds(kSpan) * space.width();
}

// The square root lets a burst stand out without pressing everything else flat.
double yOf(double rate, double top, const QRectF& space) {
  return space.bottom() - std::sqrt(std::clamp(rate / top, 0.0, 1.0)) * space.height();
}

}  // namespace

SparklineDelegate::SparklineDelegate(const Monitor& monitor, QObject* parent)
    : CellDelegate(parent), m_monitor(monitor) {}

void SparklineDelegate::setTime(MonotonicTime end) {
  m_end = end;
  m_spikes.clear();
  for (const Spike& spike : m_monitor.spikes())
    if (spike.metric == ProcessMetric::MinorFaults && spike.peakTime <= end && spike.peakTime > end - kSpan)
      m_spikes.emplace(spike.key, spike.peakTime);
  if (m_scales.size() > kMostScales) m_scales.clear();
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  paintRowGround(*painter, option, theme());
  const auto key = index.data(ProcessModel::KeyRole).value<ProcessKey>();
  const QRectF space = QRectF(option.rect).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  const auto columns = static_cast<std::size_t>(std::max(1.0, space.width()));
  // Pixel columns stay at the same times from one repaint to the next: the picture moves, it does not shimmer.
  const Nanoseconds step = kSpan / static_cast<Nanoseconds::rep>(columns);
  const MonotonicTime end{(m_end.sinceEpoch / step + 1) * step};
  const std::vector<Point> line = points(key, end, columns);
  if (line.empty()) return;

  const auto lower = [](const Point& a, const Point& b) { return a.rate < b.rate; };
  const double top = scaleTop(key, std::max_element(line.begin(), line.end(), lower)->rate);
  const Nanoseconds joined = std::max(step * 2, m_monitor.hello().interval * kLateFactor);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(index.data(ProcessModel::DimRole).toBool() ? theme().dimInk : theme().minor);
  for (auto begin = line.begin(); begin != line.end();) {
    auto stop =
        std::adjacent_find(begin, line.end(), [&](const Point& a, const Point& b) { return b.time - a.time > joined; });
    if (stop != line.end()) ++stop;
    QPolygonF shape;
    shape << QPointF(xOf(begin->time, end, space), space.bottom());
    for (auto p = begin; p != stop; ++p) shape << QPointF(xOf(p->time, end, space), yOf(p->rate, top, space));
    shape << QPointF(xOf(std::prev(stop)->time, end, space), space.bottom());
    painter->drawPolygon(shape);
    begin = stop;
  }
  paintSpikes(painter, key, space, end);
  painter->setRenderHint(QPainter::Antialiasing, false);
}

// One point per pixel column at most: its highest sample.
std::vector<SparklineDelegate::Point> SparklineDelegate::points(const ProcessKey& key, MonotonicTime end,
                                                                std::size_t columns) const {
  const Nanoseconds step = kSpan / static_cast<Nanoseconds::rep>(columns);
  std::vector<Point> result;
  for (const Bucket& bucket : m_monitor.history().process(key, Series::MinorRate, end - kSpan, m_end, 4 * columns)) {
    const MonotonicTime column{bucket.end.sinceEpoch / step * step};
    if (result.empty() || result.back().time != column) result.push_back({column, bucket.max});
    else result.back().rate = std::max(result.back().rate, static_cast<double>(bucket.max));
  }
  return result;
}

double SparklineDelegate::scaleTop(const ProcessKey& key, double highest) const {
  Scale& scale = m_scales[key];
  const double age = seconds(std::max(Nanoseconds{0}, m_end - scale.time)) / seconds(kShrink);
  scale.top = std::max({kLeastTop, highest, highest + (scale.top - highest) * std::exp(-age)});
  scale.time = m_end;
  return scale.top;
}

void SparklineDelegate::paintSpikes(QPainter* painter, const ProcessKey& key, const QRectF& space,
                                    MonotonicTime end) const {
  painter->setBrush(theme().spike);
  const double radius = 2.5;
  const auto [first, last] = m_spikes.equal_range(key);
  for (auto spike = first; spike != last; ++spike)
    painter->drawEllipse(QPointF(xOf(spike->second, end, space), space.top() + radius - 1), radius, radius);
}

}  // namespace faultline

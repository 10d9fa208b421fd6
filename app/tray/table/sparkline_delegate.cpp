#include "app/tray/table/sparkline_delegate.h"

#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>
#include <cmath>

#include "app/tray/processes/model.h"
#include "app/tray/table/row_ground.h"

namespace faultline {
namespace {

constexpr Nanoseconds kSpan = std::chrono::minutes(1);
constexpr Nanoseconds kShrink = std::chrono::seconds(10);  // time constant of a shrinking scale
constexpr double kLeastTop = 1000;                         // faults per second, so that an idle row looks idle
constexpr int kSparklineMargin = 3;
constexpr std::size_t kMostScales = 2000;

double seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// The square root, so that a burst does not flatten all else.
double heightOf(double rate, double top) {
  return std::sqrt(std::clamp(rate / top, 0.0, 1.0));
}

}  // namespace

SparklineDelegate::SparklineDelegate(const Monitor& monitor, QObject* parent)
    : CellDelegate(parent), m_monitor(monitor) {}

void SparklineDelegate::setTime(MonotonicTime end) {
  m_end = end;
  m_spikes.clear();
  for (const Spike& spike : m_monitor.spikes())
    if (spike.metric == ProcessMetric::MinorFaults && !spike.again && spike.peakTime <= end &&
        spike.peakTime > end - kSpan)
      m_spikes.emplace(spike.key, spike.peakTime);
  if (m_scales.size() > kMostScales) m_scales.clear();
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  paintRowGround(*painter, option, theme());
  const auto key = index.data(ProcessModel::KeyRole).value<ProcessKey>();
  const QRectF space =
      QRectF(option.rect).adjusted(kSparklineMargin, kSparklineMargin, -kSparklineMargin, -kSparklineMargin);
  // Columns of device pixels that keep their times from one repaint to the next, so that the picture moves without
  // flicker.
  Grid grid;
  grid.count = static_cast<std::size_t>(std::max(1.0, space.width() * painter->device()->devicePixelRatioF()));
  grid.step = kSpan / static_cast<Nanoseconds::rep>(grid.count);
  grid.end = {(m_end.sinceEpoch / grid.step + 1) * grid.step};
  const std::vector<double> line = rates(key, grid);
  const double highest = *std::max_element(line.begin(), line.end());
  painter->setPen(Qt::NoPen);
  if (highest > 0) {
    painter->setBrush(ink(index));
    paintSilhouette(painter, line, scaleTop(key, highest), space);
  }
  paintSpikes(painter, key, space, grid.end);
}

// The highest rate within each column. A rate is valid for the whole interval before its sample.
std::vector<double> SparklineDelegate::rates(const ProcessKey& key, const Grid& grid) const {
  std::vector<double> columns(grid.count, 0);
  const MonotonicTime begin = grid.end - kSpan;
  const Nanoseconds interval = m_monitor.hello().interval;
  const auto columnOf = [&](MonotonicTime time) {
    const auto column = std::max<Nanoseconds::rep>(0, (time - begin) / grid.step);
    return std::min(static_cast<std::size_t>(column), grid.count - 1);
  };
  MonotonicTime previous;
  for (const Bucket& bucket :
       m_monitor.history().process(key, ProcessMetric::MinorFaults, begin, m_end, 4 * grid.count)) {
    const bool joined = bucket.start - previous <= interval * kLateFactor;
    const std::size_t last = columnOf(bucket.end);
    const std::size_t first = std::min(last, columnOf(joined ? previous : bucket.start - interval) + 1);
    for (std::size_t c = first; c <= last; ++c) columns[c] = std::max(columns[c], static_cast<double>(bucket.max));
    previous = bucket.end;
  }
  return columns;
}

// In whole device pixels, which the paint engine fills fastest.
void SparklineDelegate::paintSilhouette(QPainter* painter, const std::vector<double>& rates, double top,
                                        const QRectF& space) const {
  const double ratio = painter->device()->devicePixelRatioF();
  const int bottom = qRound(space.bottom() * ratio);
  const int left = qRound(space.left() * ratio);
  QVarLengthArray<QRect, 256> bars;
  for (auto begin = rates.begin(); begin != rates.end();) {
    const auto end = std::find_if(begin, rates.end(), [&](double rate) { return rate != *begin; });
    if (*begin > 0) {
      const int height = std::max(1, qRound(heightOf(*begin, top) * space.height() * ratio));
      bars.emplace_back(left + static_cast<int>(begin - rates.begin()), bottom - height, static_cast<int>(end - begin),
                        height);
    }
    begin = end;
  }
  painter->save();
  painter->scale(1 / ratio, 1 / ratio);
  painter->drawRects(bars.constData(), static_cast<int>(bars.size()));
  painter->restore();
}

QColor SparklineDelegate::ink(const QModelIndex& index) const {
  if (index.data(ProcessModel::DimRole).toBool()) return theme().dimInk;
  return pinColour(index).value_or(theme().minor);
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
  const auto [first, last] = m_spikes.equal_range(key);
  if (first == last) return;
  const double radius = 2.5;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(theme().spike);
  for (auto spike = first; spike != last; ++spike) {
    const double x = space.right() - seconds(end - spike->second) / seconds(kSpan) * space.width();
    painter->drawEllipse(QPointF(x, space.top() + radius - 1), radius, radius);
  }
  painter->setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace faultline

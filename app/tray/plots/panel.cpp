#include "app/tray/plots/panel.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/tray/plots/items/bucket_at.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPeaksInLabels = 4;  // lines; with more, names need the room
constexpr double kOnTheAxis = 0.02;        // of the scale
constexpr int kLeastSize = 30;
constexpr int kLineRoom = 8;               // below a row of labels without a plot
constexpr double kOnePixel = 1.01;         // QCustomPlot draws 1.0 as a hairline, which is too thin at 200 %
constexpr std::size_t kManyPoints = 1500;  // per panel; with more, smooth edges and wide lines cost too much

QString titled(const char* words) {
  return QCoreApplication::translate("faultline::PlotStack", words);
}

double seconds(MonotonicTime t) {
  return std::chrono::duration<double>(t.sinceEpoch).count();
}

double middle(const Bucket& bucket) {
  return (seconds(bucket.start) + seconds(bucket.end)) / 2;
}

// Keeps only the ends of a run of equal values: the line is the same and costs less.
void append(QVector<QCPGraphData>& line, const QCPGraphData& point) {
  const qsizetype n = line.size();
  if (n >= 2 && line[n - 1].value == point.value && line[n - 2].value == point.value) line[n - 1].key = point.key;
  else line.append(point);
}

QVector<QCPGraphData> points(const std::vector<Bucket>& buckets, float Bucket::* value, double offset) {
  QVector<QCPGraphData> out;
  out.reserve(static_cast<qsizetype>(buckets.size()) + 2);
  for (const Bucket& b : buckets) {
    if (b.gapBefore && !out.isEmpty()) out.append({out.last().key, kNaN});
    append(out, {middle(b) + offset, static_cast<double>(b.*value)});
  }
  return out;
}

// Leaves out zeros, because dashes along the axis would only disturb.
QVector<QCPGraphData> offTheAxis(const QVector<QCPGraphData>& line) {
  QVector<QCPGraphData> out;
  for (const QCPGraphData& point : line) {
    if (!out.isEmpty() && out.last().value == 0 && point.value == 0) out.append({point.key, kNaN});
    out.append(point);
  }
  return out;
}

// Level lines are not smoothed, because that blurs them.
bool isLevel(const QVector<QCPGraphData>& line) {
  return std::ranges::all_of(line, [&](const QCPGraphData& p) { return p.value == line.first().value; });
}

double highest(const std::vector<Line>& lines, bool rightAxis) {
  double top = 0;
  for (const Line& line : lines)
    if (line.kind.rightAxis == rightAxis)
      for (const Bucket& b : line.buckets) top = std::max(top, static_cast<double>(b.max));
  return top;
}

QString formatted(double value) {
  return QString::fromStdString(formatRate(value));
}
QString formattedBytes(double value) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(value, 0.0))));
}

}  // namespace

PanelKind panelKind(Panel panel) {
  const QString perSecond = titled("/s");
  switch (panel) {
    case Panel::Faults:
      return {titled("Faults"), perSecond, Rounding::Decimal, 100, formatted};
    case Panel::Time:
      return {titled("Time"), perSecond, Rounding::Decimal, 1e6, durationLabel};
    case Panel::Zeroing:
      return {titled("Zeroed"), perSecond, Rounding::Binary, 1024 * 1024, formattedBytes};
    case Panel::Commit:
      break;
  }
  return {titled("Commit"), {}, Rounding::Binary, 1024 * 1024, formattedBytes};
}

PlotPanel::PlotPanel(QCustomPlot& plot, int row, const PanelKind& kind, QCPMarginGroup* margins)
    : m_plot(plot),
      m_kind(kind),
      m_rect(new QCPAxisRect(&plot)),
      m_ticker(new QuarterTicker(kind.format)),
      m_rightTicker(new QuarterTicker(kind.format)),
      m_scale(kind.rounding, kind.least),
      m_rightScale(Rounding::Decimal, 4) {
  plot.plotLayout()->addElement(row, 0, m_rect);
  m_rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
  m_rect->axis(QCPAxis::atLeft)->setTicker(m_ticker);
  QCPAxis* right = m_rect->axis(QCPAxis::atRight);
  right->setTicker(m_rightTicker);
  right->setTickLabels(true);
  m_rect->axis(QCPAxis::atTop)->setVisible(false);
  m_ground = new PlotGround(m_rect);
  m_ground->setLayer(QStringLiteral("background"));  // below the grid
  m_grid = new GridLines(m_rect);
  m_grid->setLayer(QStringLiteral("grid"));
  for (QCPAxis* axis : m_rect->axes()) axis->grid()->setVisible(false);  // slower than m_grid
  m_pinMarks = new PinMarks(m_rect);
  m_pinMarks->setLayer(QStringLiteral("overlay"));
  m_marks = new SpikeMarks(m_rect);
  m_marks->setLayer(QStringLiteral("overlay"));
  m_crosshair = new QCPItemStraightLine(&plot);
  m_crosshair->setClipAxisRect(m_rect);
  for (QCPItemPosition* p : m_crosshair->positions()) p->setAxes(timeAxis(), m_rect->axis(QCPAxis::atLeft));
  m_crosshair->setLayer(QStringLiteral("overlay"));
  m_labels = new LabelRow(m_rect);
  m_labels->setLayer(QStringLiteral("overlay"));
  setShown(true);
}

void PlotPanel::setTheme(const Theme& theme, bool showsTime) {
  m_theme = theme;
  for (QCPAxis* axis : m_rect->axes()) {
    axis->setBasePen(axis->axisType() == QCPAxis::atBottom ? QPen(theme.grid) : QPen(Qt::NoPen));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.dimInk);
    axis->setTickLabelFont(m_plot.font());
  }
  timeAxis()->setTickLabels(showsTime);
  m_grid->setColour(theme.grid);
  m_rect->axis(QCPAxis::atRight)->setTickLabelColor(theme.major);
  m_crosshair->setPen(QPen(theme.dimInk, 0));
  m_pinMarks->setGround(theme.base);
  m_labels->setGround(theme.base);
  m_marks->setTheme(theme);
}

void PlotPanel::setGraph(std::size_t index, const Line& line, double offset, bool smooth) {
  while (m_peaks.size() <= index) {
    m_peaks.push_back(new QCPGraph(timeAxis(), m_rect->axis(QCPAxis::atLeft)));
  }
  QCPAxis* axis = m_rect->axis(line.kind.rightAxis ? QCPAxis::atRight : QCPAxis::atLeft);
  QCPGraph* peak = m_peaks[index];
  peak->setValueAxis(axis);
  peak->setVisible(true);
  QVector<QCPGraphData> peaks = points(line.buckets, &Bucket::max, offset);
  if (line.kind.style != Qt::SolidLine) peaks = offTheAxis(peaks);
  const double thin = smooth && m_plot.bufferDevicePixelRatio() > 1 ? kOnePixel : 1;
  smooth = smooth && line.kind.style == Qt::SolidLine && !isLevel(peaks);  // smooth dashes cost ten times as much
  peak->setPen(QPen(line.kind.colour, smooth && line.kind.pin ? 1.5 : thin, line.kind.style));
  peak->data()->set(peaks, true);
  peak->setAntialiased(smooth);
}

void PlotPanel::markPins(double offset) {
  std::vector<PinMarks::Mark> marks;
  const double onTheAxis = m_rect->axis(QCPAxis::atLeft)->range().upper * kOnTheAxis;
  const Nanoseconds span(std::llround(timeAxis()->range().size() * 1e9));
  for (const Line& line : m_lines)
    if (const auto pin = line.kind.pin)
      for (const Bucket* b : markedBuckets(line.buckets, *pin, span, onTheAxis))
        marks.push_back({middle(*b) + offset, static_cast<double>(b->max), *pin, line.kind.colour});
  m_pinMarks->setMarks(std::move(marks));
}

void PlotPanel::forgetScale() {
  m_scale.reset();
  m_rightScale.reset();
}

void PlotPanel::setLines(std::vector<Line> lines, double offset, Nanoseconds now) {
  m_lines = std::move(lines);
  std::size_t count = 0;
  for (const Line& line : m_lines) count += line.buckets.size();
  for (std::size_t i = 0; i < m_lines.size(); ++i) setGraph(i, m_lines[i], offset, count < kManyPoints);
  for (std::size_t i = m_lines.size(); i < m_peaks.size(); ++i) {
    m_peaks[i]->data()->clear();
    m_peaks[i]->setVisible(false);
  }
  const auto filled = std::ranges::find_if(m_lines, [](const Line& line) { return line.kind.filled; });
  m_ground->setVisible(filled != m_lines.end());
  if (filled != m_lines.end())
    m_ground->set(points(filled->buckets, &Bucket::mean, offset), fillBelow(filled->kind.colour, m_theme.base));
  const double top = m_scale.update(highest(m_lines, false), now);
  const int parts = m_rect->height() > 90 ? 4 : 2;
  m_ticker->setTop(top, parts);
  m_rect->axis(QCPAxis::atLeft)->setRange(0, top);
  markPins(offset);
  const double rightHighest = highest(m_lines, true);
  const double rightTop = m_rightScale.update(rightHighest, now);
  m_rightTicker->setTop(rightTop, parts);
  m_rect->axis(QCPAxis::atRight)->setRange(0, rightTop);
  m_rect->axis(QCPAxis::atRight)->setVisible(rightHighest > 0);
}

void PlotPanel::setNote(const QString& note) {
  m_labels->setNote(note, m_theme.dimInk, false);
  QCPAxis* left = m_rect->axis(QCPAxis::atLeft);
  left->setTickLabels(note.isEmpty());
  m_grid->setVisible(note.isEmpty());
}

void PlotPanel::setAbsent(const QString& reason) {
  const bool absent = !reason.isEmpty();
  m_labels->setNote(reason, m_theme.dimInk, true);
  m_rect->setSizeConstraintRect(absent ? QCPLayoutElement::scrOuterRect : QCPLayoutElement::scrInnerRect);
  m_rect->setMinimumSize(kLeastSize, absent ? 0 : kLeastSize);
  m_rect->setMaximumSize(QWIDGETSIZE_MAX, absent ? m_labels->heightWithNote() + kLineRoom : QWIDGETSIZE_MAX);
  m_rect->axis(QCPAxis::atLeft)->setVisible(!absent);
  timeAxis()->setVisible(!absent);
}

void PlotPanel::setShown(bool shown) {
  m_rect->setVisible(shown);
  m_labels->setVisible(shown);
  m_rect->setMinimumMargins(shown ? QMargins(0, LabelRow::heightFor(m_plot.font()), 12, 4) : QMargins());
  m_rect->setAutoMargins(shown ? QCP::msAll : QCP::msNone);
  if (shown) return;
  m_rect->setMargins(QMargins());
  m_rect->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
  m_rect->setMinimumSize(kLeastSize, 0);
  m_rect->setMaximumSize(QWIDGETSIZE_MAX, 0);
}

void PlotPanel::setMarks(std::vector<SpikeMark> marks) {
  if (m_lines.empty()) marks.clear();
  for (SpikeMark& mark : marks) {
    const Bucket* bucket = bucketAt(m_lines.front().buckets, mark.time);
    if (bucket != nullptr) mark.value = static_cast<double>(bucket->max);
  }
  m_marks->setMarks(std::move(marks));
}

// NOLINTNEXTLINE(readability-make-member-function-const): changes the display
void PlotPanel::setRange(double from, double to) {
  timeAxis()->setRange(from, to);
}

// With how much more or less that is than the value of the line that it stands beside.
QString PlotPanel::besideValue(const Line& line, const Exact& exact) const {
  const auto value = exact(line, line.kind.series);
  if (!value) return QStringLiteral("–");
  const QString text = (line.kind.estimated ? QStringLiteral("≈ ") : QString()) + m_kind.format(*value) + m_kind.unit;
  const auto first = exact(m_lines.front(), line.kind.series);
  if (!first) return text;
  const QString apart = m_kind.format(std::abs(*value - *first)) + m_kind.unit;
  return *value < *first ? QStringLiteral("%1 (−%2)").arg(text, apart) : QStringLiteral("%1 (+%2)").arg(text, apart);
}

Label PlotPanel::label(const Line& line, std::optional<MonotonicTime> shown, const Exact& exact) const {
  if (line.beside && exact && !line.kind.machine)
    return {line.kind.name, besideValue(line, exact), line.kind.colour, line.kind.style};
  const QString estimated = line.kind.estimated ? QStringLiteral("≈ ") : QString();
  if (const auto value = exact ? exact(line, line.kind.series) : std::nullopt) {
    QString text = estimated + m_kind.format(*value) + m_kind.unit;
    if (const auto time = line.times.empty() ? std::nullopt : exact(line, ProcessMetric::ZeroingTime))
      text += QStringLiteral(" ≈ %1/s").arg(durationLabel(*time));
    return {line.kind.name, text, line.kind.colour, line.kind.style, line.kind.pin};
  }
  const Bucket* b = bucketAt(line.buckets, shown);
  if (b == nullptr) return {line.kind.name, QStringLiteral("–"), line.kind.colour, line.kind.style, line.kind.pin};
  QString value = estimated + m_kind.format(b->mean) + m_kind.unit;
  if (m_lines.size() <= kPeaksInLabels && m_kind.format(b->max) != m_kind.format(b->mean))
    value += QStringLiteral(" (peak %1)").arg(m_kind.format(b->max) + m_kind.unit);
  if (const Bucket* time = bucketAt(line.times, shown))
    value += QStringLiteral(" ≈ %1/s").arg(durationLabel(static_cast<double>(time->mean)));
  return {line.kind.name, value, line.kind.colour, line.kind.style, line.kind.pin};
}

void PlotPanel::setLabels(std::optional<MonotonicTime> shown, const QString& when, const Exact& exact) {
  std::vector<Label> labels{{m_kind.title, {}, m_theme.ink, Qt::NoPen}};
  if (!when.isEmpty()) labels.push_back({when, {}, m_theme.dimInk, Qt::NoPen});
  for (const Line& line : m_lines) labels.push_back(label(line, shown, exact));
  m_labels->setLabels(std::move(labels));
}

QString PlotPanel::spoken() const {
  return m_labels->spoken();
}

void PlotPanel::setCrosshair(std::optional<double> key) {
  m_crosshair->setVisible(key.has_value());
  m_crosshair->point1->setCoords(key.value_or(0), 0);
  m_crosshair->point2->setCoords(key.value_or(0), 1);
}

bool PlotPanel::hasGapAt(MonotonicTime time) const {
  return !m_lines.empty() && bucketAt(m_lines.front().buckets, time) == nullptr;
}

}  // namespace faultline

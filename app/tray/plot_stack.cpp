#include "app/tray/plot_stack.h"

#include <cmath>

#include "core/text/quantity.h"

namespace faultline {
namespace {

enum Panel : std::size_t { Faults, Zeroing, Commit };

constexpr int kPixelsPerColumn = 2;
constexpr int kMarkReach = 9;

QString formatted(double value) {
  return QString::fromStdString(formatRate(value));
}
QString formattedBytes(double value) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(value, 0.0))));
}

QString shownName(const History& history, const ProcessKey& key) {
  return QString::fromStdString(printableName(history.name(key).value_or("process " + std::to_string(key.pid))));
}

}  // namespace

PlotStack::PlotStack(const Monitor& monitor, const Pins& pins, TimeView& view, QWidget* parent)
    : QCustomPlot(parent), m_monitor(monitor), m_pins(pins), m_view(view) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(320, 220);
  setAccessibleName(tr("Plots of faults, zeroing and commit over time"));
  setWhatsThis(tr("Wheel zooms, dragging pans, End returns to live."));
  setNoAntialiasingOnDrag(true);
  plotLayout()->clear();
  plotLayout()->setRowSpacing(0);
  layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);

  auto* margins = new QCPMarginGroup(this);
  const QString perSecond = tr("/s");
  m_panels[Faults] = std::make_unique<PlotPanel>(
      *this, 0, PanelKind{tr("Faults"), perSecond, Rounding::Decimal, 100, formatted}, margins);
  m_panels[Zeroing] = std::make_unique<PlotPanel>(
      *this, 1, PanelKind{tr("Zeroed"), perSecond, Rounding::Binary, 1024 * 1024, formattedBytes}, margins);
  m_panels[Commit] = std::make_unique<PlotPanel>(
      *this, 2, PanelKind{tr("Commit"), {}, Rounding::Binary, 1024 * 1024, formattedBytes}, margins);
  plotLayout()->setRowStretchFactors({3.0, 1.0, 1.6});

  m_rebuildSoon.setSingleShot(true);
  m_rebuildSoon.setInterval(0);
  connect(&m_rebuildSoon, &QTimer::timeout, this, &PlotStack::rebuildNow);
  connect(&m_view, &TimeView::changed, this, &PlotStack::refresh);
  connect(&m_view, &TimeView::cursorChanged, this, &PlotStack::showCursor);
  connect(&m_pins, &Pins::changed, this, &PlotStack::refresh);
  applyTheme();
}

void PlotStack::refresh() {
  m_dirty = true;
  if (isVisible() && !m_rebuildSoon.isActive()) m_rebuildSoon.start();
}

void PlotStack::rebuildNow() {
  if (!m_dirty) return;
  m_dirty = false;
  rebuild();
  replot(QCustomPlot::rpQueuedRefresh);
}

void PlotStack::follow(std::optional<ProcessKey> key) {
  m_followed = key;
  refresh();
}

void PlotStack::applyTheme() {
  m_theme = themeFor(palette());
  setBackground(m_theme.base);
  const QString format = QStringLiteral("HH:mm:ss");
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    m_panels[i]->setTheme(m_theme, i == Commit);
    QSharedPointer<QCPAxisTickerDateTime> ticker(new QCPAxisTickerDateTime);
    ticker->setDateTimeFormat(format);
    ticker->setTickCount(7);
    m_panels[i]->timeAxis()->setTicker(ticker);
  }
  m_dirty = true;
}

double PlotStack::offset() const {
  const MonotonicTime newest = m_view.newest();
  return std::chrono::duration<double>(m_monitor.history().wall(newest).sinceEpoch - newest.sinceEpoch).count();
}

std::vector<Bucket> PlotStack::buckets(std::optional<ProcessKey> key, Series series) const {
  const auto columns = static_cast<std::size_t>(std::max(m_panels[Faults]->rect()->width() / kPixelsPerColumn, 50));
  const History& history = m_monitor.history();
  return key ? history.process(*key, series, m_view.from(), m_view.to(), columns)
             : history.total(series, m_view.from(), m_view.to(), columns);
}

std::vector<Line> PlotStack::totalLines(std::size_t panel) const {
  switch (panel) {
    case Faults:
      return {{tr("minor"), m_theme.minor, Qt::SolidLine, true, false, buckets(m_followed, Series::MinorRate)},
              {tr("major"), m_theme.major, Qt::DashLine, false, true, buckets(m_followed, Series::MajorRate)}};
    case Zeroing:
      return {{tr("all"), m_theme.zeroing, Qt::SolidLine, true, false, buckets(m_followed, Series::ZeroedRate)}};
    default: {
      std::vector<Line> lines{{m_followed ? tr("commit") : tr("all processes"), m_theme.commit, Qt::SolidLine, true,
                               false, buckets(m_followed, Series::CommitBytes)}};
      if (m_followed)
        lines.push_back(
            {tr("resident"), m_theme.dimInk, Qt::DotLine, false, false, buckets(m_followed, Series::ResidentBytes)});
      return lines;
    }
  }
}

std::vector<Line> PlotStack::processLines(std::size_t panel) const {
  static constexpr std::array kSeries{Series::MinorRate, Series::ZeroedRate, Series::CommitBytes};
  std::vector<Line> lines;
  for (const Pin& pin : m_pins.all())
    lines.push_back({shownName(m_monitor.history(), pin.key), m_theme.pins[pin.colour], Qt::SolidLine, false, false,
                     buckets(pin.key, kSeries.at(panel))});
  return lines;
}

void PlotStack::rebuild() {
  const Quality& zeroing = m_monitor.hello().quality(ProcessMetric::ZeroedBytes);
  const bool zeroed = zeroing.grade != Grade::Unavailable;
  const double off = offset();
  const auto key = [&](MonotonicTime t) { return std::chrono::duration<double>(t.sinceEpoch).count() + off; };
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    std::vector<Line> lines;
    if (i != Zeroing || zeroed) {
      lines = totalLines(i);
      if (!m_followed)
        for (Line& line : processLines(i)) lines.push_back(std::move(line));
    }
    m_panels[i]->setRange(key(m_view.from()), key(m_view.to()));
    m_panels[i]->setLines(std::move(lines), off, m_view.newest().sinceEpoch);
  }
  const QString why = QString::fromStdString(zeroing.how + (zeroing.enable.empty() ? "" : " · " + zeroing.enable));
  m_panels[Zeroing]->setNote(zeroed || m_monitor.snapshots() == 0 ? QString() : why);
  m_panels[Faults]->setNote(m_monitor.snapshots() == 0 ? tr("Waiting for the first sample") : QString());
  showMarks(off);
  labelAtCursor();
}

void PlotStack::showMarks(double off) {
  std::vector<SpikeMark> marks;
  for (const Spike& spike : m_monitor.spikes()) {
    if (spike.peakTime < m_view.from() || spike.peakTime > m_view.to()) continue;
    if (m_followed && spike.key != *m_followed) continue;
    marks.push_back({std::chrono::duration<double>(spike.peakTime.sinceEpoch).count() + off, 0,
                     static_cast<double>(spike.faults), QString::fromStdString(printableName(spike.name))});
  }
  m_panels[Faults]->setMarks(std::move(marks));
}

// A layer with a buffer of its own makes the crosshair cheap to move, but costs with every sample: it has one only
// while the pointer is there.
void PlotStack::showCursor() {
  labelAtCursor();
  if (!isVisible()) return;
  QCPLayer* overlay = layer(QStringLiteral("overlay"));
  const QCPLayer::LayerMode mode = m_view.cursor() ? QCPLayer::lmBuffered : QCPLayer::lmLogical;
  if (overlay->mode() == mode) return overlay->replot();
  overlay->setMode(mode);
  replot(QCustomPlot::rpQueuedRefresh);
}

void PlotStack::labelAtCursor() {
  const std::optional<MonotonicTime> cursor = m_view.cursor();
  const double key = cursor ? std::chrono::duration<double>(cursor->sinceEpoch).count() + offset() : 0;
  const QString when =
      cursor ? QCPAxisTickerDateTime::keyToDateTime(key).toString(QStringLiteral("HH:mm:ss.zzz")) : QString();
  for (const auto& panel : m_panels) panel->setCursor(cursor, key, panel == m_panels[Faults] ? when : QString());
}

MonotonicTime PlotStack::timeAt(double x) const {
  const QCPAxisRect* rect = m_panels[Faults]->rect();
  const double share = (x - rect->left()) / std::max(rect->width(), 1);
  const double ns = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_view.span().count());
  return m_view.from() + Nanoseconds(std::llround(ns));
}

const Spike* PlotStack::spikeNear(const QPointF& point) const {
  if (!m_panels[Faults]->rect()->rect().contains(point.toPoint())) return nullptr;
  const MonotonicTime from = timeAt(point.x() - kMarkReach);
  const MonotonicTime to = timeAt(point.x() + kMarkReach);
  const Spike* best = nullptr;
  for (const Spike& spike : m_monitor.spikes())
    if (spike.peakTime >= from && spike.peakTime <= to && (!m_followed || spike.key == *m_followed) &&
        (best == nullptr || spike.faults > best->faults))
      best = &spike;
  return best;
}

void PlotStack::changeEvent(QEvent* event) {
  QCustomPlot::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  applyTheme();
  refresh();
}

void PlotStack::showEvent(QShowEvent* event) {
  QCustomPlot::showEvent(event);
  refresh();
}

void PlotStack::resizeEvent(QResizeEvent* event) {
  QCustomPlot::resizeEvent(event);
  refresh();  // other columns
}

}  // namespace faultline

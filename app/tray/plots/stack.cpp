#include "app/tray/plots/stack.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "app/tray/plots/peak_words.h"
#include "app/tray/time/ruler.h"

namespace faultline {
namespace {

constexpr int kMarkReach = 9;     // pixels from a click to a mark
constexpr double kPeakReach = 4;  // pixels from the pointer to a peak
constexpr int kMostTimes = 7;
constexpr int kRoomOfTime = 2;  // in widths of a label: QCustomPlot may draw half as many again
constexpr auto kDay = std::chrono::hours(24);

}  // namespace

PlotStack::PlotStack(const Monitor& monitor, const Pins& pins, TimeView& view, QWidget* parent)
    : QCustomPlot(parent),
      m_monitor(monitor),
      m_view(view),
      m_series(monitor, pins, view),
      m_highlights(monitor, view),
      m_grant(*this, monitor) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(320, 220);
  setAccessibleName(tr("Plots of faults, their time, zeroing and commit over time"));
  setWhatsThis(tr("Wheel zooms, dragging pans, End returns to live."));
  setNoAntialiasingOnDrag(true);
  setNotAntialiasedElements(QCP::aeGrid | QCP::aeAxes);  // lines along pixels
  addPanels();
  m_rebuildSoon.setSingleShot(true);
  m_rebuildSoon.setInterval(0);
  connect(&m_rebuildSoon, &QTimer::timeout, this, &PlotStack::rebuildNow);
  connect(&m_view, &TimeView::changed, this, &PlotStack::refresh);
  connect(&m_view, &TimeView::cursorChanged, this, &PlotStack::showCursor);
  connect(&pins, &Pins::changed, this, &PlotStack::refresh);
  connect(&m_grant, &GrantOffer::grantRequested, this, &PlotStack::grantRequested);
  connect(&m_grant, &GrantOffer::whyRequested, this, &PlotStack::whyRequested);
  connect(this, &QCustomPlot::afterReplot, this, &PlotStack::placeButtons);
  applyTheme();
}

void PlotStack::addPanels() {
  plotLayout()->clear();
  plotLayout()->setRowSpacing(0);
  layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
  auto* margins = new QCPMarginGroup(this);
  for (std::size_t row = 0; row < m_panels.size(); ++row) {
    m_panels[row] =
        std::make_unique<PlotPanel>(*this, static_cast<int>(row), panelKind(static_cast<Panel>(row)), margins);
    m_panels[row]->timeAxis()->setTicker(m_times);
  }
  plotLayout()->setRowStretchFactors({2.4, 1.3, 1.0, 1.2});
}

void PlotStack::refresh() {
  m_dirty = true;
  if (isVisible() && !m_rebuildSoon.isActive()) m_rebuildSoon.start();
}

void PlotStack::rebuildNow() {
  if (!std::exchange(m_dirty, false)) return;
  rebuild();
  replot(QCustomPlot::rpQueuedRefresh);
}

void PlotStack::follow(std::optional<ProcessKey> key) {
  m_series.follow(key);
  m_highlights.follow(key);
  refresh();
}

void PlotStack::setBeside(std::optional<BesideRun> run) {
  if (run.has_value() != m_series.beside().has_value())
    for (const auto& each : m_panels) each->forgetScale();
  m_series.setBeside(std::move(run));
  refresh();
}

void PlotStack::offerGrant(bool offered) {
  if (m_grant.set(offered)) refresh();
}

void PlotStack::paintStill(QCPPainter& painter) {
  const auto pointed = m_view.cursor();
  m_view.setCursor(std::nullopt);
  toPainter(&painter, width(), height());
  m_view.setCursor(pointed);
}

void PlotStack::setMutes(const SpikeMutes& mutes) {
  m_highlights.setMutes(mutes);
  connect(&mutes, &SpikeMutes::changed, this, &PlotStack::refresh);
}

void PlotStack::applyTheme() {
  m_theme = themeFor(palette());
  setBackground(m_theme.base);
  for (std::size_t i = 0; i < m_panels.size(); ++i) m_panels[i]->setTheme(m_theme, i + 1 == m_panels.size());
  m_dirty = true;
}

// In seconds, from monotonic to wall time.
double PlotStack::offset() const {
  const MonotonicTime newest = m_view.newest();
  return std::chrono::duration<double>(m_monitor.history().wall(newest).sinceEpoch - newest.sinceEpoch).count();
}

// A time of day is ambiguous in more than a day of data.
bool PlotStack::dated() const {
  return m_view.newest() - m_view.oldest() > kDay;
}

void PlotStack::placeButtons() {
  for (std::size_t i = 0; i < m_panels.size(); ++i) m_grant.place(static_cast<Panel>(i), m_panels[i]->absentNote());
}

// The scale fits at once after the user zooms or chooses a process; it changes slowly only for incoming data. In a
// recording, where no time passes, a slow scale would never fit.
void PlotStack::rescaleForHands() {
  const std::pair chosen(m_view.showsAll() ? Nanoseconds(0) : m_view.chosenSpan(), followed());
  if (std::exchange(m_scaledFor, chosen) == chosen) return;
  for (const auto& each : m_panels) each->forgetScale();
}

// As many labels as fit without touching.
void PlotStack::setTimes() {
  const QString format = !dated()               ? QStringLiteral("HH:mm:ss")
                         : m_view.span() > kDay ? QStringLiteral("MM-dd HH:mm")
                                                : QStringLiteral("MM-dd HH:mm:ss");
  const int room = panel(Panel::Faults).rect()->width() / (kRoomOfTime * fontMetrics().horizontalAdvance(format));
  m_times->setTickCount(std::clamp(room, 2, kMostTimes));
  m_times->setDateTimeFormat(format);
}

void PlotStack::rebuild() {
  rescaleForHands();
  m_series.setWidth(panel(Panel::Faults).rect()->width());
  const bool waiting = m_monitor.snapshots() == 0;
  const double off = offset();
  const auto key = [&](MonotonicTime t) { return std::chrono::duration<double>(t.sinceEpoch).count() + off; };
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const auto which = static_cast<Panel>(i);
    m_panels[i]->setAbsent(waiting ? QString() : m_grant.note(which));
    m_panels[i]->setShown(waiting || canFill(which, m_monitor.hello()));
    m_panels[i]->setRange(key(m_view.from()), key(m_view.to()));
    m_panels[i]->setLines(m_series.lines(which, m_theme), off, m_view.newest().sinceEpoch);
    m_panels[i]->setMarks(m_highlights.marks(which, m_series.total(processSeries(which)), off));
  }
  panel(Panel::Commit).timeAxis()->setTickLabels(!waiting);
  setTimes();
  panel(Panel::Faults).setNote(waiting ? tr("Waiting for the first sample") : QString());
  labelAtCursor();
}

// A layer with its own buffer makes the crosshair cheap to move, but costs with every sample: the layer has a buffer
// only while the pointer is in the picture.
void PlotStack::showCursor() {
  labelAtCursor();
  if (!isVisible()) return;
  QCPLayer* overlay = layer(QStringLiteral("overlay"));
  const QCPLayer::LayerMode mode = m_view.cursor() ? QCPLayer::lmBuffered : QCPLayer::lmLogical;
  if (overlay->mode() == mode) return overlay->replot();
  overlay->setMode(mode);
  replot(QCustomPlot::rpQueuedRefresh);
}

// Without a pointer, live labels show what the figures above do, those of a picture that stands still its instant.
void PlotStack::labelAtCursor() {
  const std::optional<MonotonicTime> cursor = m_view.cursor();
  std::optional<MonotonicTime> instant = cursor ? cursor : m_view.instant();
  if (m_monitor.snapshots() == 0) instant.reset();
  std::optional<double> key;
  if (instant) key = std::chrono::duration<double>(instant->sinceEpoch).count() + offset();
  const QString format = dated() ? QStringLiteral("yyyy-MM-dd HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz");
  const QString when = key ? QCPAxisTickerDateTime::keyToDateTime(*key).toString(format) : QString();
  if (!instant && m_view.live()) instant = m_view.newest();
  else if (!cursor && !m_series.beside() && instant == m_view.to()) instant.reset();  // the last sample in view
  PlotPanel::Exact exact;
  const auto standing = m_view.instant();
  if (standing || m_series.beside())
    exact = [this, at = cursor ? *cursor : standing.value_or(m_view.to())](const Line& line, ProcessMetric metric) {
      return m_series.at(line, metric, at);
    };
  else if (!cursor && m_view.live())
    exact = [this](const Line& line, ProcessMetric metric) { return m_series.now(line, metric); };
  for (const auto& each : m_panels) {
    each->setCrosshair(key);
    each->setLabels(instant, each == m_panels.front() ? when : QString(), exact);
  }
}

QString PlotStack::spoken() const {
  QStringList panels;
  for (const auto& each : m_panels)
    if (each->rect()->visible()) panels << each->spoken();
  return panels.join(QStringLiteral("; "));
}

MonotonicTime PlotStack::timeAt(double x) const {
  const QCPAxisRect* rect = panel(Panel::Faults).rect();
  const TimeRuler ruler(m_view, rect->left(), rect->width());
  return std::clamp(ruler.timeAt(x), m_view.from(), m_view.to());
}

std::optional<Panel> PlotStack::panelAt(const QPointF& point) const {
  for (std::size_t i = 0; i < m_panels.size(); ++i)
    if (m_panels[i]->rect()->outerRect().contains(point.toPoint())) return static_cast<Panel>(i);
  return std::nullopt;
}

bool PlotStack::unmeasuredAt(const QPointF& point) const {
  const auto which = panelAt(point);
  return which && m_grant.concerns(*which);
}

const Spike* PlotStack::spikeAt(const QPointF& point) const {
  if (!panel(Panel::Faults).rect()->rect().contains(point.toPoint())) return nullptr;
  return m_highlights.heaviestSpike(timeAt(point.x() - kMarkReach), timeAt(point.x() + kMarkReach));
}

// Over the title, the meaning of the plot; over the lines, whose values the labels show already, the causes. A plot
// that is not measured says so before the kernel's reason.
QString PlotStack::toolTipAt(const QPointF& point) const {
  const auto which = panelAt(point);
  if (!which) return {};
  const QRect inner = panel(*which).rect()->rect();
  if (m_grant.concerns(*which))
    return m_grant.sentence(*which) + QStringLiteral("\n\n") + panelWords(*which, m_monitor.hello());
  if (point.y() < inner.top()) return panelWords(*which, m_monitor.hello());
  const MonotonicTime time = timeAt(point.x());
  if (!inner.contains(point.toPoint()) || time <= m_view.oldest()) return {};
  return panel(*which).hasGapAt(time) ? gapWords(*which) : causesAt(*which, point.x());
}

QString PlotStack::causesAt(Panel panel, double x) const {
  const auto peak = m_series.highest(panel, timeAt(x - kPeakReach), timeAt(x + kPeakReach));
  return peakWords(m_monitor, panel, peak ? peak->start : timeAt(x), peak ? peak->end : timeAt(x), dated());
}

bool PlotStack::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
  return true;
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
  refresh();
}

void PlotStack::wheelEvent(QWheelEvent* event) {
  m_hand.wheel(*event, timeAt(event->position().x()));
}

void PlotStack::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  m_hand.press(*event);
}

void PlotStack::mouseMoveEvent(QMouseEvent* event) {
  m_hand.move(*event, panel(Panel::Faults).rect()->width());
  const bool clickable = spikeAt(event->position()) != nullptr || unmeasuredAt(event->position());
  setCursor(m_hand.dragging() ? Qt::ClosedHandCursor : clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  m_view.setCursor(timeAt(event->position().x()));
}

void PlotStack::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = m_hand.release(*event);
  setCursor(Qt::ArrowCursor);
  if (!clicked) return;
  if (const Spike* spike = spikeAt(event->position())) Q_EMIT spikeClicked(*spike);
  else if (unmeasuredAt(event->position())) m_grant.ask();
  else if (panelAt(event->position()) && m_view.cursor()) m_view.stopAt(*m_view.cursor());
}

void PlotStack::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  m_view.setCursor(std::nullopt);
}

void PlotStack::keyPressEvent(QKeyEvent* event) {
  if (!m_view.takeKey(event->key())) QCustomPlot::keyPressEvent(event);
}

void PlotStack::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  m_focus.paint(m_theme.dimInk);
}

}  // namespace faultline

#include "app/tray/plots/stack.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/monitor/peak_causes.h"
#include "core/spikes/groups.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kPixelsPerColumn = 2;
constexpr int kMarkReach = 9;
constexpr int kRemedyGap = 4;
constexpr int kMostTimes = 7;
constexpr int kRoomOfTime = 2;  // in its own widths: QCustomPlot may make half as many again
constexpr auto kDay = std::chrono::hours(24);
constexpr std::size_t kNamedPeaks = 3;
constexpr double kFeltShare = 0.5 / 2000;  // of a rate that lasts half a second, as spikeWeight() has it
constexpr float kLeastPeak = 100;          // faults a second; lower ones are the ground

QString formatted(double value) {
  return QString::fromStdString(formatRate(value));
}
QString formattedBytes(double value) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(value, 0.0))));
}

}  // namespace

PlotStack::PlotStack(const Monitor& monitor, const Pins& pins, TimeView& view, QWidget* parent)
    : QCustomPlot(parent), m_monitor(monitor), m_pins(pins), m_view(view) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(320, 220);
  setAccessibleName(tr("Plots of faults, their time, zeroing and commit over time"));
  setWhatsThis(tr("Wheel zooms, dragging pans, End returns to live."));
  setNoAntialiasingOnDrag(true);
  plotLayout()->clear();
  plotLayout()->setRowSpacing(0);
  layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);

  auto* margins = new QCPMarginGroup(this);
  const auto add = [&](Panel which, const PanelKind& kind) {
    const auto row = static_cast<std::size_t>(which);
    m_panels[row] = std::make_unique<PlotPanel>(*this, static_cast<int>(row), kind, margins);
  };
  const QString perSecond = tr("/s");
  add(Panel::Faults, {tr("Faults"), perSecond, Rounding::Decimal, 100, formatted});
  add(Panel::Time, {tr("Time"), perSecond, Rounding::Decimal, 1e6, durationLabel});
  add(Panel::Zeroing, {tr("Zeroed"), perSecond, Rounding::Binary, 1024 * 1024, formattedBytes});
  add(Panel::Commit, {tr("Commit"), {}, Rounding::Binary, 1024 * 1024, formattedBytes});
  plotLayout()->setRowStretchFactors({2.4, 1.3, 1.0, 1.2});

  for (const Panel which : {Panel::Time, Panel::Zeroing}) {
    auto* button = new QToolButton(this);
    button->setText(tr("Set up…"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setCursor(Qt::PointingHandCursor);
    button->setToolTip(tr("Show what is granted, to whom, and what it costs"));
    button->hide();
    connect(button, &QToolButton::clicked, this, &PlotStack::remedyRequested);
    m_remedies[static_cast<std::size_t>(which)] = button;
  }
  connect(this, &QCustomPlot::afterReplot, this, &PlotStack::placeRemedies);

  for (const auto& each : m_panels) each->timeAxis()->setTicker(m_times);

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

void PlotStack::offerGrant(bool offered) {
  if (offered == m_remedy) return;
  m_remedy = offered;
  refresh();
}

void PlotStack::applyTheme() {
  m_theme = themeFor(palette());
  setBackground(m_theme.base);
  for (std::size_t i = 0; i < m_panels.size(); ++i) m_panels[i]->setTheme(m_theme, i + 1 == m_panels.size());
  m_dirty = true;
}

double PlotStack::offset() const {
  const MonotonicTime newest = m_view.newest();
  return std::chrono::duration<double>(m_monitor.history().wall(newest).sinceEpoch - newest.sinceEpoch).count();
}

// The time of day alone would stand for more than one instant.
bool PlotStack::dated() const {
  return m_view.newest() - m_view.oldest() > kDay;
}

std::vector<Bucket> PlotStack::buckets(std::optional<ProcessKey> key, ProcessMetric series) const {
  const auto columns = static_cast<std::size_t>(std::max(panel(Panel::Faults).rect()->width() / kPixelsPerColumn, 50));
  const History& history = m_monitor.history();
  return key ? history.process(*key, series, m_view.from(), m_view.to(), columns)
             : history.total(series, m_view.from(), m_view.to(), columns);
}

std::vector<Line> PlotStack::linesOf(Panel panel, const std::vector<QString>& pins) const {
  std::vector<Line> lines;
  for (LineKind& kind : wholeLines(panel, m_followed.has_value(), m_theme, m_monitor.hello())) {
    Line& line = lines.emplace_back();
    line.buckets = buckets(m_followed, kind.series);
    if (kind.series == ProcessMetric::ZeroedBytes) line.times = buckets(m_followed, ProcessMetric::ZeroingTime);
    line.kind = std::move(kind);
  }
  if (m_followed || lines.empty()) return lines;
  const bool estimated = lines.front().kind.estimated;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const Pin& pin = m_pins.all()[i];
    lines.push_back({{.name = pins[i],
                      .series = processSeries(panel),
                      .colour = m_theme.pins[pin.colour],
                      .estimated = estimated,
                      .pin = pin.colour},
                     buckets(pin.key, processSeries(panel)),
                     {}});
  }
  return lines;
}

// Beside the button that mends it one calm sentence is enough; the tooltip has the reason. The same is not told twice.
QString PlotStack::noteOf(Panel panel) const {
  QString why = whyEmpty(panel, m_monitor.hello());
  if (m_remedy && !why.isEmpty()) return tr("Needs a one-time permission ·");
  const bool told = panel == Panel::Zeroing && !why.isEmpty() && why == whyEmpty(Panel::Time, m_monitor.hello());
  return told ? tr("Not measured, for the same reason.") : why;
}

void PlotStack::placeRemedies() {
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    if (m_remedies[i] == nullptr) continue;
    const QRect note = m_panels[i]->absentNote();
    const QSize size(m_remedies[i]->sizeHint().width(), note.height() + 2 * kRemedyGap);
    const bool wanted =
        m_remedy && m_monitor.snapshots() > 0 && !whyEmpty(static_cast<Panel>(i), m_monitor.hello()).isEmpty();
    m_remedies[i]->setGeometry(QRect(QPoint(note.right() + kRemedyGap, note.top() - kRemedyGap), size));
    m_remedies[i]->setVisible(wanted);
  }
}

// The calm is for data that moves. Where a hand zooms or chooses a process, the scale fits at once; and in a recording,
// where no time passes, it would never fit.
void PlotStack::rescaleForHands() {
  const std::pair chosen(m_view.showsAll() ? Nanoseconds(0) : m_view.chosenSpan(), m_followed);
  if (std::exchange(m_scaledFor, chosen) == chosen) return;
  for (const auto& each : m_panels) each->forgetScale();
}

// As many as stand apart.
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
  const std::vector<QString> pins = pinNames(m_pins, m_monitor.history());
  const bool waiting = m_monitor.snapshots() == 0;
  const double off = offset();
  const auto key = [&](MonotonicTime t) { return std::chrono::duration<double>(t.sinceEpoch).count() + off; };
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const auto which = static_cast<Panel>(i);
    m_panels[i]->setAbsent(waiting ? QString() : noteOf(which));
    m_panels[i]->setRange(key(m_view.from()), key(m_view.to()));
    m_panels[i]->setLines(linesOf(which, pins), off, m_view.newest().sinceEpoch);
  }
  panel(Panel::Commit).timeAxis()->setTickLabels(!waiting);  // nothing is known of any time of day
  setTimes();
  panel(Panel::Faults).setNote(waiting ? tr("Waiting for the first sample") : QString());
  showMarks(off);
  labelAtCursor();
}

void PlotStack::setMutes(const SpikeMutes& mutes) {
  m_mutes = &mutes;
  connect(&mutes, &SpikeMutes::changed, this, &PlotStack::refresh);
}

bool PlotStack::shown(const Spike& spike) const {
  return (!m_followed || spike.key == *m_followed) && !(m_mutes != nullptr && m_mutes->has(spike.name));
}

void PlotStack::showMarks(double off) {
  std::vector<SpikeMark> marks;
  for (const Spike& spike : m_monitor.spikes()) {
    if (spike.peakTime < m_view.from() || spike.peakTime > m_view.to() || !shown(spike)) continue;
    marks.push_back({spike.peakTime, std::chrono::duration<double>(spike.peakTime.sinceEpoch).count() + off, 0,
                     spikeWeight(spike), QString::fromStdString(printableName(spike.name))});
  }
  if (!m_followed) namePeaks(marks, off);
  panel(Panel::Faults).setMarks(std::move(marks));
}

// The highest peaks in sight carry a name, whether they are spikes or not.
void PlotStack::namePeaks(std::vector<SpikeMark>& marks, double off) {
  const History& history = m_monitor.history();
  std::map<MonotonicTime, QString> names;
  for (const Bucket& peak : highestPeaks(buckets(std::nullopt, ProcessMetric::MinorFaults), kNamedPeaks)) {
    const auto marked = [&](const SpikeMark& mark) { return mark.time >= peak.start && mark.time <= peak.end; };
    if (peak.max < kLeastPeak || std::ranges::any_of(marks, marked)) continue;
    const auto before = m_peakNames.find(peak.end);
    QString& name = names[peak.end];
    if (before != m_peakNames.end()) name = before->second;
    else if (const auto by = peakCauses(history, ProcessMetric::MinorFaults, peak.start, peak.end, 1); !by.empty())
      name = QString::fromStdString(printableName(by.front().name));
    SpikeMark& mark = marks.emplace_back();
    mark.time = peak.end;
    mark.key = std::chrono::duration<double>(peak.end.sinceEpoch).count() + off;
    mark.name = name;
    mark.weight = static_cast<double>(peak.max) * kFeltShare;
    mark.flagged = false;
  }
  m_peakNames = std::move(names);
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

// Without a pointer live labels tell of this moment: what has no value now has none, whatever it had before.
void PlotStack::labelAtCursor() {
  const std::optional<MonotonicTime> cursor = m_monitor.snapshots() > 0 ? m_view.cursor() : std::nullopt;
  std::optional<double> key;
  if (cursor) key = std::chrono::duration<double>(cursor->sinceEpoch).count() + offset();
  const QString format = dated() ? QStringLiteral("yyyy-MM-dd HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz");
  const QString when = key ? QCPAxisTickerDateTime::keyToDateTime(*key).toString(format) : QString();
  const auto newest = m_view.live() ? std::optional(m_view.newest()) : std::nullopt;
  for (const auto& each : m_panels) {
    each->setCrosshair(key);
    each->setLabels(cursor ? cursor : newest, each == m_panels.front() ? when : QString());
  }
}

QString PlotStack::spoken() const {
  QStringList panels;
  for (const auto& each : m_panels) panels << each->spoken();
  return panels.join(QStringLiteral("; "));
}

MonotonicTime PlotStack::timeAt(double x) const {
  const QCPAxisRect* rect = panel(Panel::Faults).rect();
  const double share = (x - rect->left()) / std::max(rect->width(), 1);
  const double ns = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_view.span().count());
  return m_view.from() + Nanoseconds(std::llround(ns));
}

const Spike* PlotStack::spikeNear(const QPointF& point) const {
  if (!panel(Panel::Faults).rect()->rect().contains(point.toPoint())) return nullptr;
  const MonotonicTime from = timeAt(point.x() - kMarkReach);
  const MonotonicTime to = timeAt(point.x() + kMarkReach);
  const Spike* best = nullptr;
  for (const Spike& spike : m_monitor.spikes())
    if (spike.peakTime >= from && spike.peakTime <= to && shown(spike) &&
        (best == nullptr || spikeWeight(spike) > spikeWeight(*best)))
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

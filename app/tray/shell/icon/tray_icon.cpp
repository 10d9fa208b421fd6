#include "app/tray/shell/icon/tray_icon.h"

#include <QApplication>
#include <QPalette>
#include <algorithm>
#include <utility>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/utf8.h"
#include "core/history/background_zeroing.h"
#include "core/text/quantity.h"

namespace faultline {

namespace {

constexpr int kBetweenRedrawsMs = 500;
constexpr int kBetweenToolTipsMs = 2000;  // each tooltip is a message on the session bus
constexpr int kSpikeShowsMs = 10'000;
constexpr int kComparedPixels = 32;  // the largest common panel size
constexpr std::size_t kColumns = 240;

double faultsPerSecond(const Moment& moment, const ProcessRow& row) {
  return moment.perSecond(row.deltas.get(ProcessMetric::MinorFaults)).value_or(0) +
         moment.perSecond(row.deltas.get(ProcessMetric::MajorFaults)).value_or(0);
}

}  // namespace

QString worstProcesses(const Moment& moment, std::size_t count) {
  std::vector<std::pair<double, const ProcessRow*>> worst;
  for (const ProcessRow& row : moment.rows)
    if (const double rate = faultsPerSecond(moment, row); rate > 0 && !row.own) worst.emplace_back(rate, &row);
  count = std::min(count, worst.size());
  std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(count), worst.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  QString lines;
  for (std::size_t i = 0; i < count; ++i)
    lines += QStringLiteral("\n%1  %2/s").arg(shortName(worst[i].second->name), text(formatRate(worst[i].first)));
  return lines;
}

TrayIcon::TrayIcon(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_menu(std::make_unique<QMenu>()) {
  buildMenu();
  m_refreshTimer.setSingleShot(true);
  m_refreshTimer.setTimerType(Qt::PreciseTimer);  // a coarse timer may be early: three redraws per second
  m_spikeTimer.setSingleShot(true);
  connect(&m_refreshTimer, &QTimer::timeout, this, &TrayIcon::refresh);
  connect(&m_spikeTimer, &QTimer::timeout, this, &TrayIcon::update);
  connect(&m_notices, &Notices::chosen, this, [this](const Notification& spike, Notices::Choice choice) {
    if (choice == Notices::Choice::Show) Q_EMIT spikeRequested(spike.spike);
    else if (choice == Notices::Choice::Save) Q_EMIT saveRequested(spike);
    else Q_EMIT muteRequested(spike.program);
  });
  connect(&session, &Session::measured, this, [this] {
    noteSpikes();
    update();
  });
  connect(&session, &Session::stateChanged, this, [this] {
    updateMenu();
    update();
  });
  connect(&session, &Session::recordingChanged, this, [this] {
    updateMenu();
    update();
  });
  updateMenu();
  refresh();
}

TrayIcon::~TrayIcon() = default;

void TrayIcon::buildMenu() {
  m_toggle = m_menu->addAction(tr("&Show Faultline"), this, &TrayIcon::toggleWindowRequested);
  m_menu->setDefaultAction(m_toggle);
  m_pause = m_menu->addAction(tr("&Pause"), this, [this](bool on) { m_session.setPaused(on); });
  m_pause->setCheckable(true);
  m_menu->addSeparator();
  m_menu->addAction(tr("Snapshot to &CSV…"), this, &TrayIcon::snapshotRequested);
  m_record = m_menu->addAction(tr("&Record…"), this, [this] { Q_EMIT recordRequested(!m_session.recording()); });
  m_menu->addAction(tr("Save the &last 10 minutes…"), this, &TrayIcon::recentRequested);
  m_menu->addSeparator();
  m_menu->addAction(tr("S&ettings…"), this, &TrayIcon::settingsRequested);
  m_menu->addAction(tr("&Quit"), this, &TrayIcon::quitRequested);
}

void TrayIcon::start() {
  connect(&m_trays, &Trays::changed, this, &TrayIcon::traysChanged);
  m_trays.start();
}

void TrayIcon::putInTray() {
  m_icon = std::make_unique<QSystemTrayIcon>();
  m_trays.settle();
  m_icon->setContextMenu(m_menu.get());
  m_icon->setIcon(makeIcon(m_shown));
  m_icon->setToolTip(m_toolTip);
  connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
    if (reason == QSystemTrayIcon::Trigger) Q_EMIT toggleWindowRequested();
  });
  connect(m_icon.get(), &QSystemTrayIcon::messageClicked, this, [this] {
    if (m_notifiedSpike != 0) Q_EMIT spikeRequested(m_notifiedSpike);
  });
  m_icon->show();
}

void TrayIcon::traysChanged() {
  if (m_trays.there() && !m_icon) putInTray();
  Q_EMIT availableChanged(available());
}

void TrayIcon::apply(const Settings& settings) {
  m_ink = settings.panelInk;
  update();
}

void TrayIcon::setWindowVisible(bool visible) {
  m_toggle->setText(visible ? tr("&Hide Faultline") : tr("&Show Faultline"));
}

void TrayIcon::notify(const Notification& notification) {
  m_notices.show(notification, [this, notification] { notifyPlainly(notification); });
}

void TrayIcon::notifyPlainly(const Notification& notification) {
  m_notifiedSpike = notification.spike;
  if (m_icon) m_icon->showMessage(notification.title, notification.text, makeIcon(m_shown));
}

void TrayIcon::say(const QString& title, const QString& text) {
  Notification notification;
  notification.title = title;
  notification.text = text;
  notifyPlainly(notification);
}

void TrayIcon::sayItStays() {
  say(tr("Faultline stays in the tray"),
      tr("Faultline goes on measuring. Click the icon to show the window; Quit is in the icon's menu."));
}

void TrayIcon::noteSpikes() {
  if (m_session.liveState() == Session::State::Live &&
      !std::ranges::all_of(m_session.live().spikesNow(), &Spike::again))
    m_spikeTimer.start(kSpikeShowsMs);
}

void TrayIcon::update() {
  if (m_refreshTimer.isActive()) return;
  const qint64 waited = m_sinceRefresh.isValid() ? m_sinceRefresh.elapsed() : kBetweenRedrawsMs;
  m_refreshTimer.start(static_cast<int>(std::max<qint64>(0, kBetweenRedrawsMs - waited)));
}

void TrayIcon::refresh() {
  m_sinceRefresh.start();
  const IconState now = state();
  if (now != m_shown || m_redraws == 0) {
    QImage pixels = paintIcon(now, kComparedPixels, 1);
    if (pixels != m_pixels) {
      m_pixels = std::move(pixels);
      m_shown = now;
      if (m_icon) m_icon->setIcon(makeIcon(now));
      ++m_redraws;
    }
  }
  if (m_sinceToolTip.isValid() && !m_sinceToolTip.hasExpired(kBetweenToolTipsMs)) return;
  m_sinceToolTip.start();
  const QString told = describe();
  if (std::exchange(m_toolTip, told) != told && m_icon) m_icon->setToolTip(told);
}

IconState TrayIcon::state() const {
  IconState state;
  const Monitor& monitor = m_session.live();
  if (m_session.liveState() == Session::State::Live) state.mode = IconMode::Live;
  if (m_session.liveState() == Session::State::Lost) state.mode = IconMode::Struck;
  if (const std::optional<MonotonicTime> newest = monitor.history().newest()) {
    const MonotonicTime oldest = *newest - kIconSlot * static_cast<int>(kIconSlots);
    state.heights =
        iconHeights(monitor.history().total(ProcessMetric::MinorFaults, oldest, *newest, kColumns), *newest);
  }
  state.recording = m_session.recording();
  state.spike = m_spikeTimer.isActive() && state.mode == IconMode::Live;
  const QColor dark(0x22, 0x22, 0x22);
  const QColor light(0xF2, 0xF2, 0xF2);
  switch (m_ink) {
    case PanelInk::Dark:
      state.ink = dark;
      break;
    case PanelInk::Light:
      state.ink = light;
      break;
    case PanelInk::Automatic:
      state.ink = QApplication::palette().color(QPalette::WindowText);
      state.halo = state.ink.lightness() < 128 ? light : dark;
  }
  return state;
}

// The first line is ours and has no "<", so that no process name can turn the text into rich text.
QString TrayIcon::describe() const {
  if (m_session.liveState() != Session::State::Live)
    return tr("Faultline") + QStringLiteral("\n") + m_session.liveText();
  const Moment& moment = m_session.live().shown();
  const std::optional<double> total = moment.perSecond(moment.processTotal.get(ProcessMetric::MinorFaults));
  const QString rate = text(total ? formatRate(*total) : std::string(kUnavailable));
  const QString recording = m_session.recording() ? tr("\nRecording") : QString();
  const std::optional<double> zeroing = zeroThreadTime(moment);
  const QString zeroed =
      zeroing ? tr("\nZeroing threads: ≈ %1 of a core").arg(text(formatPercent(*zeroing / 1e9))) : QString();
  return tr("Faultline: %1 faults/s").arg(rate) + zeroed + recording + worstProcesses(moment, 3);
}

void TrayIcon::updateMenu() {
  m_pause->setChecked(m_session.liveState() == Session::State::Paused);
  m_record->setText(m_session.recording() ? tr("Stop &recording") : tr("&Record…"));
}

}  // namespace faultline

#include "app/tray/shell/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QStatusBar>
#include <QVBoxLayout>

#include "app/tray/table/row_actions.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/screen_fit.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kSayMs = 8000;

QString qualitySentence(const Hello& hello) {
  const auto word = [](const Quality& quality) {
    const std::string_view name = gradeName(quality.grade);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  };
  return MainWindow::tr("faults %1, zeroing %2, fault time %3")
      .arg(word(hello.quality(ProcessMetric::MinorFaults)), word(hello.quality(ProcessMetric::ZeroedBytes)),
           word(hello.quality(ProcessMetric::FaultTime)));
}

// What is missing from the picture. Missed samples are told even when there are none.
QString lossSentence(const SystemValues& system) {
  QString text;
  const auto tell = [&](SystemMetric metric, const QString& words, std::uint64_t least) {
    if (const auto count = system.get(metric); count && *count >= least)
      text += QStringLiteral(" · ") + words.arg(QString::fromStdString(formatCount(*count)));
  };
  tell(SystemMetric::MissedDeadlines, MainWindow::tr("%1 missed"), 0);
  tell(SystemMetric::DroppedSnapshots, MainWindow::tr("%1 dropped"), 1);
  tell(SystemMetric::LostExits, MainWindow::tr("%1 ended processes told in sums"), 1);
  tell(SystemMetric::ProcessesLeftOut, MainWindow::tr("%1 processes left out"), 1);
  return text;
}

}  // namespace

MainWindow::MainWindow(Session& session, SettingsStore& settings, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_settings(settings),
      m_trouble(new TroubleBar),
      m_figures(new FiguresStrip(session.monitor())),
      m_plots(new PlotStack(session.monitor(), m_pins, m_view)),
      m_range(new RangeBar(m_view)),
      m_spikes(new SpikeList(session.monitor(), m_pins, m_mutes)),
      m_table(new ProcessTable(session.monitor(), m_pins)),
      m_upper(new QSplitter(Qt::Horizontal)),
      m_whole(new QSplitter(Qt::Vertical)),
      m_state(new LineLabel),
      m_recordingState(new QLabel),
      m_followState(new QToolButton),
      m_grant(new QToolButton),
      m_progress(new QProgressBar),
      m_cancel(new QToolButton) {
  setWindowTitle(tr("Faultline"));
  setAcceptDrops(true);
  m_plots->setMutes(m_mutes);
  layOut();
  buildFileMenu();
  buildViewMenu();
  buildChoiceMenus();
  buildHelpMenu();
  buildStatusBar();
  connectAll();
  resize(sizeOnScreen(*this, {1180, 820}));
  restoreGeometry(m_settings.get().windowGeometry);
  m_whole->restoreState(m_settings.get().windowRows);
  m_upper->restoreState(m_settings.get().windowColumns);
  m_table->setColumns(m_settings.get().tableColumns);
  m_mutes.set(m_settings.get().mutedSpikes);
  m_view.setSpan(
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(m_settings.get().visibleSeconds)));
  showState();
  m_plots->setFocus();
}

void MainWindow::layOut() {
  auto* plots = new QWidget;
  auto* column = new QVBoxLayout(plots);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_plots, 1);
  column->addWidget(m_range);
  m_upper->addWidget(plots);
  m_upper->addWidget(m_spikes);
  m_upper->setStretchFactor(0, 1);
  m_upper->setSizes({900, 270});
  m_whole->addWidget(m_upper);
  m_whole->addWidget(m_table);
  m_whole->setSizes({470, 300});
  m_whole->setStretchFactor(0, 1);
  m_whole->setChildrenCollapsible(false);

  auto* central = new QWidget;
  auto* rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_trouble);
  rows->addWidget(m_figures);
  rows->addWidget(m_whole, 1);
  setCentralWidget(central);
}

void MainWindow::buildStatusBar() {
  m_state->setContentsMargins(8, 0, 8, 0);
  statusBar()->addWidget(m_state, 1);
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_progress->setMaximumWidth(220);
  m_progress->setAccessibleName(tr("Loading the recording"));
  m_cancel->setText(tr("Stop loading"));
  m_cancel->setAutoRaise(true);
  m_followState->setAutoRaise(true);
  m_followState->hide();
  m_grant->setText(tr("Measure zeroing too…"));
  m_grant->setAutoRaise(true);
  m_grant->hide();
  connect(m_grant, &QToolButton::clicked, this, &MainWindow::showGrant);
  statusBar()->addPermanentWidget(m_grant);
  statusBar()->addPermanentWidget(m_progress);
  statusBar()->addPermanentWidget(m_cancel);
  statusBar()->addPermanentWidget(m_followState);
  statusBar()->addPermanentWidget(m_recordingState);
}

void MainWindow::connectAll() {
  connect(&m_session, &Session::ingested, this, &MainWindow::ingested);
  connect(&m_session, &Session::stateChanged, this, &MainWindow::showState);
  connect(&m_session, &Session::recordingChanged, this, &MainWindow::showRecording);
  connect(&m_session, &Session::failed, this, &MainWindow::warn);
  connect(&m_view, &TimeView::changed, this, [this] { m_table->showInstant(m_view.instant()); });
  connect(&m_view, &TimeView::cursorChanged, this, [this] {
    if (!m_view.live()) m_table->showInstant(m_view.instant());
  });
  connect(m_plots, &PlotStack::spikeClicked, this, &MainWindow::goToSpike);
  connect(m_plots, &PlotStack::grantRequested, this, &MainWindow::showGrant);
  connect(m_spikes, &SpikeList::activated, this, &MainWindow::goToSpike);
  connect(m_spikes, &SpikeList::processRequested, m_table, &ProcessTable::choose);
  connect(m_table, &ProcessTable::followRequested, this, &MainWindow::follow);
  connect(m_table, &ProcessTable::framesRequested, this, [this](const ProcessKey& key, const QString& name) {
    Q_EMIT framesRequested(key.pid, name, m_session.synthetic());
  });
  connect(m_followState, &QToolButton::clicked, this, [this] { follow(std::nullopt); });
  connect(m_cancel, &QToolButton::clicked, &m_session, &Session::cancelLoading);
}

void MainWindow::ingested() {
  const History& history = m_session.monitor().history();
  if (history.oldest()) m_view.setData(*history.oldest(), *history.newest());
  showRecording();
  if (isVisible() && !isMinimized()) refresh();
}

void MainWindow::refresh() {
  m_figures->refresh(m_ownCpu.share());
  m_plots->refresh();
  m_table->refresh();
  m_spikes->refresh();
  showState();
}

void MainWindow::showState() {
  const Monitor& monitor = m_session.monitor();
  const Session::State state = m_session.state();
  QString text = m_session.stateText();
  if (state == Session::State::Live) {
    text += QStringLiteral(" · ") + qualitySentence(monitor.hello());
    text += lossSentence(monitor.now().system);
  }
  m_state->setLine(text);
  const bool loading = state == Session::State::Loading;
  const bool replay = loading || state == Session::State::Replay;
  m_progress->setVisible(loading);
  m_cancel->setVisible(loading);
  if (loading) m_progress->setValue(static_cast<int>(m_session.loadingProgress() * 1000));
  const CollectorChoice& collector = m_session.collector();
  const bool grantable = state == Session::State::Live && !collector.enable.empty() &&
                         monitor.hello().quality(ProcessMetric::ZeroedBytes).grade == Grade::Unavailable;
  m_grant->setVisible(grantable);
  m_plots->offerGrant(grantable);
  m_grant->setToolTip(QString::fromStdString(collector.why));
  m_range->setEnded(replay);
  m_spikes->setReplay(replay);
  m_table->actions().setSource(replay ? tr("This is a recording.") : QString(), m_session.synthetic());
  m_table->setHere(!replay && !m_session.synthetic());
  m_backToLive->setEnabled(replay);
  m_pause->setEnabled(!replay);
  m_pause->setChecked(state == Session::State::Paused);
  m_record->setEnabled(!replay || m_session.recording());
}

void MainWindow::showRecording() {
  const bool recording = m_session.recording();
  m_record->setText(recording ? tr("Stop &recording") : tr("&Record to a file…"));
  m_recordingState->setVisible(recording);
  if (!recording) return;
  const QString size = QString::fromStdString(formatBytes(m_session.recordedBytes()));
  m_recordingState->setText(
      tr("<span style='color:%1'>●</span> recording, %2").arg(themeFor(palette()).spike.name(), size));
  m_recordingState->setToolTip(m_session.recordingFile());
}

void MainWindow::follow(std::optional<ProcessKey> key) {
  m_plots->follow(key);
  m_table->setFollowed(key);
  m_followState->setVisible(key.has_value());
  if (!key) return;
  const auto name = m_session.monitor().history().name(*key).value_or(std::to_string(key->pid));
  QString words = shortName(name);
  words.replace(QLatin1Char('&'), QLatin1String("&&"));  // of one alone a button would make a key
  m_followState->setText(tr("Following only %1 ✕").arg(words));
  m_followState->setToolTip(tr("Show the whole machine again (Esc)"));
}

void MainWindow::goToSpike(const Spike& spike) {
  const Nanoseconds length = spike.end - spike.start;
  if (m_view.showsAll() || m_view.span() < length * 2)
    m_view.setSpan(std::max(length * 4, Nanoseconds(std::chrono::seconds(10))));
  m_view.standAt(spike.peakTime);
  m_view.setCursor(spike.peakTime);
  m_table->choose(spike.key);
}

void MainWindow::say(const QString& sentence) {
  statusBar()->showMessage(sentence, kSayMs);
}

void MainWindow::warn(const QString& sentence) {
  m_trouble->tell(sentence);
}

void MainWindow::rememberLayout() {
  Settings settings = m_settings.get();
  settings.windowGeometry = saveGeometry();
  settings.windowRows = m_whole->saveState();
  settings.windowColumns = m_upper->saveState();
  settings.tableColumns = m_table->columns();
  settings.mutedSpikes = m_mutes.names();
  settings.visibleSeconds = std::chrono::duration<double>(m_view.chosenSpan()).count();
  m_settings.set(settings);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  rememberLayout();
  if (!m_staysInTray) {
    Q_EMIT quitRequested();
    return event->accept();
  }
  hide();
  event->ignore();
  Q_EMIT hiddenToTray();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  refresh();
  Q_EMIT visibilityChanged(true);
}

void MainWindow::hideEvent(QHideEvent* event) {
  QMainWindow::hideEvent(event);
  Q_EMIT visibilityChanged(false);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange) Q_EMIT visibilityChanged(isVisible() && !isMinimized());
}

// Space arrives here only where the focus has no use for it, so buttons and boxes keep theirs. Escape goes back one
// step: from what has gone wrong, then to the whole machine, then to live.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) return m_pause->trigger();
  if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
  if (m_trouble->isVisible()) m_trouble->dismiss();
  else if (m_plots->followed()) follow(std::nullopt);
  else m_view.goLive();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  openRecording(event->mimeData()->urls().first().toLocalFile());
}

}  // namespace faultline

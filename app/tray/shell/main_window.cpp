#include "app/tray/shell/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QVBoxLayout>
#include <filesystem>

#include "app/tray/grant/dialog.h"
#include "app/tray/session/pace_text.h"
#include "app/tray/shell/exports.h"
#include "app/tray/shell/help_pages.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/screen_fit.h"
#include "core/recording/recording.h"

namespace faultline {

MainWindow::MainWindow(Session& session, SettingsStore& settings, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_settings(settings),
      m_actions(session, *this),
      m_recent(session, *this, telling()),
      m_trouble(new TroubleBar),
      m_figures(new FiguresStrip(session.monitor())),
      m_plots(new PlotStack(session.monitor(), m_pins, m_view)),
      m_beside(new Beside(session, *m_plots, m_view, *this)),
      m_range(new RangeBar(m_view)),
      m_spikes(new SpikeList(session.monitor(), m_pins, m_mutes)),
      m_table(new ProcessTable(session.monitor(), m_pins)),
      m_lower(new LowerPane(session, *m_table)),
      m_page(new SidePage(session.monitor(), m_pins, m_mutes, *m_table)),
      m_pictures(new QWidget),
      m_left(new QSplitter(Qt::Vertical)),
      m_side(new QSplitter(Qt::Vertical)),
      m_whole(new QSplitter(Qt::Horizontal)),
      m_status(new StatusLine) {
  setWindowTitle(tr("Faultline"));
  setAcceptDrops(true);
  m_plots->setMutes(m_mutes);
  layOut();
  buildFileMenu();
  buildViewMenu();
  buildChoiceMenus();
  buildHelpMenu();
  setStatusBar(m_status);
  connectAll();
  restoreLayout();
  showState();
  m_plots->setFocus();
}

void MainWindow::layOut() {
  auto* column = new QVBoxLayout(m_pictures);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_plots, 1);
  column->addWidget(m_range);
  m_left->addWidget(m_pictures);
  m_left->addWidget(m_lower);
  m_left->setSizes({430, 300});
  m_left->setStretchFactor(0, 1);
  m_left->setChildrenCollapsible(false);
  m_side->addWidget(m_spikes);
  m_side->addWidget(m_page);
  m_side->setSizes({250, 480});
  m_side->setStretchFactor(1, 1);
  m_whole->addWidget(m_left);
  m_whole->addWidget(m_side);
  m_whole->setStretchFactor(0, 1);
  m_whole->setSizes({850, 330});

  auto* central = new QWidget;
  auto* rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_trouble);
  rows->addWidget(m_beside->bar());
  rows->addWidget(m_figures);
  rows->addWidget(m_whole, 1);
  setCentralWidget(central);
}

void MainWindow::buildFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  m_actions.addFileActions(*menu);
  m_beside->addFileActions(*menu);
  m_recent.addFileActions(*menu);
  menu->addSeparator();
  menu->addAction(tr("&Snapshot to CSV…"), QKeySequence::Save, this, &MainWindow::snapshotToCsv);
  for (const auto& format : kRangeFormats)
    menu->addAction(
        tr("Visible time range: %1…").arg(QString::fromUtf8(format.words)),
        &format == kRangeFormats.data() ? QKeySequence(tr("Ctrl+Shift+S")) : QKeySequence(), this,
        [this, &format] { saveRange(this, format, m_session.monitor().history(), m_pins, m_view, telling()); });
  menu->addAction(tr("Save &picture of the plots…"), QKeySequence(tr("Ctrl+P")), this,
                  [this] { savePlotPicture(this, *m_plots, m_session.monitor(), m_view, telling()); });
  menu->addAction(tr("&Copy picture of the plots"), QKeySequence(tr("Ctrl+Shift+C")), this,
                  [this] { tell(copyPlotPicture(*m_plots, m_session.monitor(), m_view)); });
  menu->addAction(tr("Copy one-line su&mmary"), this,
                  [this] { tell(copySummary(m_session.monitor(), m_view.instant())); });
  menu->addSeparator();
  menu->addAction(tr("S&ettings…"), QKeySequence(tr("Ctrl+,")), this, &MainWindow::settingsRequested);
  menu->addAction(tr("&Quit"), QKeySequence(tr("Ctrl+Q")), this, &MainWindow::quitRequested);
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  m_actions.addPause(*menu);
  // No shortcut, which would take the key from the table, where it chooses the last row.
  menu->addAction(tr("&Live") + QStringLiteral("\tEnd"), &m_view, &TimeView::goLive);
  menu->addSeparator();
  menu->addAction(tr("Zoom &in"), QKeySequence(Qt::Key_Plus), this, [this] { m_view.zoom(0.5); });
  menu->addAction(tr("Zoom &out"), QKeySequence(Qt::Key_Minus), this, [this] { m_view.zoom(2); });
  menu->addAction(tr("&Whole machine"), this, [this] { follow(std::nullopt); });
  m_beside->addViewActions(*menu);
  menu->addSeparator();
  menu->addAction(tr("&Filter processes"), QKeySequence::Find, m_lower, &LowerPane::focusFilter);
  menu->addAction(m_lower->labAction());
  QAction* side = menu->addAction(tr("&Spikes and page at the side"), m_side, &QWidget::setVisible);
  side->setShortcut(QKeySequence(tr("F9")));
  side->setCheckable(true);
  side->setChecked(true);
}

// The context menus of table and spikes, for the keyboard.
void MainWindow::buildChoiceMenus() {
  QMenu* process = menuBar()->addMenu(tr("P&rocess"));
  process->setToolTipsVisible(true);
  const auto fill = [](QMenu* menu, auto* view) {
    qDeleteAll(menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    menu->clear();
    view->fillMenu(*menu);
  };
  connect(process, &QMenu::aboutToShow, this, [this, process, fill] { fill(process, m_table); });
  fill(process, m_table);
  QMenu* spikes = menuBar()->addMenu(tr("&Spikes"));
  connect(spikes, &QMenu::aboutToShow, this, [this, spikes, fill] { fill(spikes, m_spikes); });
  fill(spikes, m_spikes);
}

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  menu->addAction(tr("&Keys, words, and how the numbers are measured"), QKeySequence::HelpContents, this,
                  [this] { openHelp(this, m_session.monitor().hello()); });
  if (!ownGrantPlaces().grant.isEmpty()) menu->addAction(tr("Measure &zeroing too…"), this, &MainWindow::openGrant);
  menu->addAction(tr("&About Faultline"), this, [this] { openAbout(this); });
}

void MainWindow::connectAll() {
  m_refresh.setSingleShot(true);
  connect(&m_refresh, &QTimer::timeout, this, &MainWindow::refresh);
  connect(&m_session, &Session::ingested, this, &MainWindow::ingested);
  connect(&m_session, &Session::stateChanged, this, &MainWindow::showState);
  connect(&m_session, &Session::recordingChanged, this, &MainWindow::showRecording);
  connect(&m_session, &Session::failed, this, &MainWindow::warn);
  connect(&m_view, &TimeView::changed, this, &MainWindow::showInstant);
  connect(&m_view, &TimeView::cursorChanged, this, &MainWindow::showInstant);
  connect(m_range, &RangeBar::backRequested, &m_session, &Session::startLive);
  connect(&m_session, &Session::measured, this, &MainWindow::showRecording);
  connect(m_plots, &PlotStack::spikeClicked, this, &MainWindow::goToSpike);
  connect(m_plots, &PlotStack::grantRequested, this, &MainWindow::openGrant);
  connect(m_plots, &PlotStack::whyRequested, this,
          [this] { openHelp(this, m_session.monitor().hello(), ProcessMetric::ZeroedBytes); });
  connect(&m_actions, &SessionActions::opened, this, [this](const QString& file) { openRecording(file); });
  connect(&m_actions, &SessionActions::failed, this, &MainWindow::warn);
  connect(m_beside, &Beside::failed, this, &MainWindow::warn);
  connect(&m_recent, &RecentActions::opened, this, [this](const QString& file) { openRecording(file); });
  connect(m_status, &StatusLine::grantRequested, this, &MainWindow::openGrant);
  connect(m_status, &StatusLine::unfollowRequested, this, [this] { follow(std::nullopt); });
  connect(m_status, &StatusLine::cancelRequested, &m_session, &Session::cancelLoading);
  connect(m_spikes, &SpikeList::activated, this, &MainWindow::goToSpike);
  connect(m_spikes, &SpikeList::processRequested, m_table, &ProcessTable::choose);
  connect(m_lower, &LowerPane::told, this, &MainWindow::tell);
  connect(m_lower, &LowerPane::followRequested, this, &MainWindow::follow);
  connect(m_lower, &LowerPane::labShown, m_pictures, &QWidget::setHidden);
  connect(m_table, &ProcessTable::subjectChanged, m_page, &SidePage::showProcess);
  connect(m_table, &ProcessTable::subjectChanged, m_beside, &Beside::setSubject);
  connect(m_page, &SidePage::spikeRequested, this, &MainWindow::goToSpike);
  connect(m_page, &SidePage::recordRequested, this, &MainWindow::toggleRecording);
  connect(m_page, &SidePage::framesRequested, m_table, &ProcessTable::framesRequested);
  connect(&m_settings, &SettingsStore::changed, m_page,
          [this](const Settings& settings) { m_page->setFrame(settings.frameBudget); });
  connect(m_table, &ProcessTable::followRequested, this, &MainWindow::follow);
  connect(m_table, &ProcessTable::framesRequested, this, [this](const ProcessKey& key, const QString& name) {
    Q_EMIT framesRequested(key.pid, name, m_session.synthetic());
  });
}

void MainWindow::ingested() {
  if (isVisible() && !isMinimized() && !m_refresh.isActive())
    m_refresh.start(redrawPause(m_session.live(), m_settings.get().interval));
}

void MainWindow::refresh() {
  m_refresh.stop();
  // Here, not when the sample comes: all parts then show it at once.
  m_beside->setData();
  m_figures->refresh(m_session.state() == Session::State::Live ? m_ownCpu.share() : std::nullopt);
  m_plots->refresh();
  m_table->refresh();
  m_page->refresh();
  m_spikes->refresh();
  showState();
}

void MainWindow::showInstant() {
  m_table->showInstant(m_view.instant());
  m_figures->showInstant(m_view.instant());
  if (m_view.live()) m_page->leaveSpike();
  m_page->refresh();
}

void MainWindow::showState() {
  const Session::State state = m_session.state();
  const QString file = m_session.viewedFile();
  setWindowTitle(file.isEmpty() ? tr("Faultline") : tr("%1 – Faultline").arg(file));
  m_range->setViewed(file);
  m_status->showState(m_session);
  const CollectorChoice& collector = m_session.collector();
  const bool grantable = state == Session::State::Live && !collector.enable.empty() &&
                         m_session.monitor().hello().quality(ProcessMetric::ZeroedBytes).grade == Grade::Unavailable;
  m_status->offerGrant(grantable || m_session.mayElevate(), QString::fromStdString(collector.why));
  m_plots->offerGrant(grantable);
  const bool replay = state == Session::State::Loading || state == Session::State::Replay;
  m_range->setEnded(replay);
  m_spikes->setReplay(replay);
  m_table->actions().setSource(replay ? tr("This is a recording.") : QString(), m_session.synthetic());
  m_table->setReplay(replay);
  m_page->setReplay(replay);
  m_table->setHere(!replay && !m_session.synthetic());
  m_actions.update();
}

void MainWindow::showRecording() {
  m_actions.update();
  m_status->showRecording(m_session);
  m_page->setRecording(m_session.recording());
}

void MainWindow::follow(std::optional<ProcessKey> key) {
  m_plots->follow(key);
  m_table->setFollowed(key);
  m_status->showFollowed(key ? shortName(m_session.monitor().history().name(*key).value_or(std::to_string(key->pid)))
                             : QString());
}

void MainWindow::goToSpike(const Spike& spike) {
  const Nanoseconds length = spike.end - spike.start;
  if (m_view.showsAll() || m_view.span() < length * 2)
    m_view.setSpan(std::max(length * 4, Nanoseconds(std::chrono::seconds(10))));
  m_view.standAt(spike.peakTime);
  if (spike.key != ProcessKey()) m_table->choose(spike.key);
  m_page->showSpike(spike);
}

void MainWindow::warn(const QString& sentence) {
  m_trouble->tell(sentence);
}

void MainWindow::tell(const Result<QString>& saved) {
  if (!saved) warn(QString::fromStdString(saved.error().message));
  else if (!saved->isEmpty())
    m_status->say(m_session.averages() ? tr("%1 · averages, as not all has been read").arg(*saved) : *saved);
}

void MainWindow::snapshotToCsv() {
  saveMoment(this, m_session.monitor(), m_view.instant(), telling());
}

void MainWindow::openRecording(const QString& file, const QString& beside) {
  m_trouble->dismiss();
  if (recordsFrames(std::filesystem::path(file.toStdU16String()))) return Q_EMIT frameRecordingRequested(file);
  follow(std::nullopt);
  m_pins.set({});
  m_session.openRecording(file);
  if (!beside.isEmpty()) m_beside->open(beside, file);
}

void MainWindow::openGrant() {
  if (m_session.mayElevate()) return m_session.elevateCollector();
  connect(openGrantDialog(this), &GrantDialog::granted, &m_session, &Session::restartCollector);
}

void MainWindow::restoreLayout() {
  const Settings& settings = m_settings.get();
  resize(sizeOnScreen(*this, {1180, 820}));
  restoreGeometry(settings.windowGeometry);
  m_left->restoreState(settings.windowRows);
  m_whole->restoreState(settings.windowColumns);
  m_side->restoreState(settings.windowSide);
  m_page->setFrame(settings.frameBudget);
  m_table->setColumns(settings.tableColumns);
  m_mutes.set(settings.mutedSpikes);
  m_view.setSpan(std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(settings.visibleSeconds)));
}

void MainWindow::rememberLayout() {
  Settings settings = m_settings.get();
  settings.windowGeometry = saveGeometry();
  settings.windowRows = m_left->saveState();
  settings.windowColumns = m_whole->saveState();
  settings.windowSide = m_side->saveState();
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

// Receives the keys that the focused widget ignores. Escape goes back one step: closes the message of a failure, else
// shows the whole machine, else goes live.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) return m_actions.togglePause();
  if (event->key() == Qt::Key_End) return m_view.goLive();
  if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
  if (m_trouble->isVisible()) m_trouble->dismiss();
  else if (m_plots->followed()) follow(std::nullopt);
  else m_view.goLive();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> files = event->mimeData()->urls();
  openRecording(files[0].toLocalFile(), files.value(1).toLocalFile());
}

}  // namespace faultline

#include "app/tray/frames/window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QMenuBar>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tray/frames/advice.h"
#include "app/tray/frames/bars/picture.h"
#include "app/tray/frames/files.h"
#include "app/tray/frames/words.h"
#include "app/tray/grant/dialog.h"
#include "app/tray/ledger/frame_parts.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/screen_fit.h"
#include "core/frames/files/formats.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLeastRedraw = 150ms;
constexpr Nanoseconds kMostRedraw = 500ms;
constexpr int kSettleMs = 500;
constexpr int kSayMs = 8000;
constexpr auto kLeastSpan = 20ms;
constexpr auto kFirstSpan = 10s;
constexpr int kCulpritsOfRows = 20;
constexpr std::size_t kWorstOfLines = 10;

}  // namespace

FramesWindow::FramesWindow(const WatchedProcess& process, SettingsStore& settings, const QString& collectorFolder,
                           QWidget* parent)
    : QMainWindow(parent, Qt::Window),
      m_settings(settings),
      m_watch(process, FrameRules{.budget = settings.get().frameBudget}, collectorFolder),
      m_finder(m_watch),
      m_view(nullptr, kLeastSpan),
      m_controls(new FrameControls(settings.get().frameStacks)),
      m_bars(new FrameBars(m_watch.history(), m_view)),
      m_range(new RangeBar(m_view, {1s, 10s, 60s, 600s})),
      m_table(new WorstTable(m_watch.worst())),
      m_culprits(new CulpritPanel),
      m_lower(new QSplitter(Qt::Horizontal)),
      m_whole(new QSplitter(Qt::Vertical)),
      m_state(new LineLabel),
      m_permission(new QToolButton) {
  m_watch.recorded() ? m_view.showAll() : m_view.setSpan(kFirstSpan);
  layOut();
  buildStatusBar();
  buildMenus();
  connectAll();
  restoreLayout();
  if (m_watch.recorded()) m_controls->hideLive();
  m_controls->showBudget(m_watch.rules().budget);
  m_bars->setBudget(m_watch.rules().budget);
  m_watch.start(m_watch.recorded() ? SampleMode::All : settings.get().frameStacks);
  refresh();
  m_bars->setFocus();
}

// A typed text that is not confirmed is told as the line loses the focus, after the parts of this window have ended.
FramesWindow::~FramesWindow() {
  m_controls->disconnect(this);
}

void FramesWindow::layOut() {
  auto* bars = new QWidget;
  auto* column = new QVBoxLayout(bars);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bars, 1);
  column->addWidget(m_range);
  m_lower->addWidget(m_table);
  m_lower->addWidget(m_culprits);
  m_lower->setSizes({560, 620});
  m_lower->setChildrenCollapsible(false);
  m_whole->addWidget(bars);
  m_whole->addWidget(m_lower);
  m_whole->setSizes({380, 320});
  m_whole->setStretchFactor(0, 1);
  m_whole->setStretchFactor(1, 1);
  m_whole->setChildrenCollapsible(false);
  auto* central = new QWidget;
  auto* rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_controls);
  rows->addWidget(m_whole, 1);
  setCentralWidget(central);
}

void FramesWindow::buildStatusBar() {
  m_state->setContentsMargins(8, 0, 8, 0);
  statusBar()->addWidget(m_state, 1);
  m_permission->setText(tr("Needs a one-time permission · Set up…"));
  m_permission->setAutoRaise(true);
  m_permission->setFocusPolicy(Qt::StrongFocus);
  m_permission->hide();
  statusBar()->addPermanentWidget(m_permission);
}

void FramesWindow::buildMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  for (const auto& format : kFrameFormats)
    if (!format.callStacks)  // the last entry saves call stacks of the selected frame
      file->addAction(tr("%1…").arg(QString::fromUtf8(format.words)),
                      &format == kFrameFormats.data() ? QKeySequence::Save : QKeySequence::UnknownKey, this,
                      [this, &format] { saveFrames(this, format, m_watch, m_finder, saying()); });
  file->addAction(tr("&Stacks of the selected frame, folded…"), this,
                  [this] { saveStacks(this, m_culprits->culprits().get(), saying()); });
  file->addSeparator();
  file->addAction(tr("Compare with an &earlier run…"), QKeySequence(tr("Ctrl+D")), this,
                  [this] { compareFrames(this, m_watch, m_finder, saying()); });
  file->addAction(tr("Save &picture…"), QKeySequence(tr("Ctrl+P")), this, &FramesWindow::savePicture);
  file->addAction(tr("&Copy the summary"), QKeySequence(tr("Ctrl+Shift+C")), this, &FramesWindow::copySummary);
  file->addSeparator();
  if (!m_watch.recorded()) file->addAction(tr("Stop &watching"), &m_watch, &GameWatch::stop);
  file->addAction(tr("C&lose"), QKeySequence(tr("Ctrl+W")), this, &QWidget::close);
  QMenu* view = menuBar()->addMenu(tr("&View"));
  view->addAction((m_watch.recorded() ? tr("&End") : tr("&Live")) + QStringLiteral("\tEnd"), &m_view,
                  &TimeView::goLive);
  view->addAction(tr("Zoom &in") + QStringLiteral("\t+"), this, [this] { m_view.zoom(0.5); });
  view->addAction(tr("Zoom &out") + QStringLiteral("\t−"), this, [this] { m_view.zoom(2); });
  view->addSeparator();
  view->addAction(tr("The &worst frame"), QKeySequence(tr("Ctrl+Home")), this, &FramesWindow::selectWorst);
  view->addAction(tr("Pre&vious frame hit by faults"), QKeySequence(tr("Ctrl+Left")), this,
                  [this] { m_bars->stepFlagged(-1); });
  view->addAction(tr("Ne&xt frame hit by faults"), QKeySequence(tr("Ctrl+Right")), this,
                  [this] { m_bars->stepFlagged(1); });
  QMenu* columns = view->addMenu(tr("&Columns"));
  connect(columns, &QMenu::aboutToShow, m_table, [this, columns] { m_table->fillColumns(*columns); });
}

void FramesWindow::connectAll() {
  m_redraw.setSingleShot(true);
  connect(&m_redraw, &QTimer::timeout, m_bars, &FrameBars::refresh);
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &FramesWindow::refresh);
  connect(&m_watch, &GameWatch::ingested, this, &FramesWindow::arrived);
  connect(&m_watch, &GameWatch::stateChanged, this, &FramesWindow::refresh);
  connect(&m_watch, &GameWatch::judgedAnew, this, [this] {
    m_table->rebuild();
    m_bars->setBudget(m_watch.rules().budget);
    refresh();
  });
  connect(&m_finder, &CulpritFinder::foundNow, this,
          [this](quint64 place, const std::shared_ptr<const Culprits>& culprits) {
            const FrameHistory& history = m_watch.history();
            const std::uint64_t faults = place >= history.begin() ? history.at(place).frame.faults() : 0;
            m_table->setCulprit(place, QString::fromStdString(culpritText(*culprits, faults)));
            if (place == selected()) showCulprits();
          });
  connect(m_culprits, &CulpritPanel::tryRequested, this,
          [this] { openTryDialog(m_watch, m_culprits->advice(), this); });
  connect(m_bars, &FrameBars::frameClicked, this, &FramesWindow::select);
  connect(m_table, &WorstTable::chosen, this, [this](quint64 place) {
    if (place == selected()) return;  // rows inserted above the selected row look like a change
    m_bars->setSelected(place);
    bringIntoView(place);
    showCulprits();
  });
  connect(m_controls, &FrameControls::copyRequested, this, &FramesWindow::copySummary);
  connect(m_controls, &FrameControls::budgetTyped, this, &FramesWindow::setBudget);
  connect(m_controls, &FrameControls::endTyped, this, &FramesWindow::setEnd);
  connect(m_controls, &FrameControls::stacksChosen, this, &FramesWindow::setStacks);
  connect(m_controls, &FrameControls::delayChosen, this, [this](qint64 delay) {
    if (m_watch.state() == GameWatch::State::Exited) say(tr("The game has ended: no fault can be delayed."));
    else m_watch.delayBy(Nanoseconds(delay));
  });
  connect(m_permission, &QToolButton::clicked, this, [this] {
    connect(openGrantDialog(this), &GrantDialog::granted, this, [this] { m_watch.start(m_watch.stacks()); });
  });
}

void FramesWindow::arrived() {
  m_finder.notice();
  if (!isVisible() || isMinimized()) return;
  if (!m_redraw.isActive()) m_redraw.start(redrawInterval());
  if (!m_settle.isActive()) m_settle.start();
}

// The time of a pixel: before, there is nothing new to see.
std::chrono::milliseconds FramesWindow::redrawInterval() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::clamp<Nanoseconds>(m_view.span() / std::max(m_bars->width(), 1), kLeastRedraw, kMostRedraw));
}

void FramesWindow::refresh() {
  m_bars->refresh();
  m_table->refresh(m_watch.history());
  refreshWords();
  for (const std::uint64_t place : m_table->top(kCulpritsOfRows)) m_finder.askLater(place);
  m_culprits->advise(adviceOn(m_watch, m_finder));
  if (selected()) showCulprits();
}

void FramesWindow::refreshWords() {
  setWindowTitle(windowTitleOf(m_watch));
  m_state->setLine(stateLine(m_watch));
  m_state->setToolTip(plainToolTip(stateDetails(m_watch)));
  m_range->setEnded(m_watch.over());
  m_permission->setVisible(needsPermission(m_watch));
  m_bars->setEmptyText(m_watch.stateText());
  m_controls->offerEnds(endsOfFrames(m_watch));
  const QString delays = delaySentence(m_watch);
  m_controls->showSummary((m_watch.history().empty() ? m_watch.stateText() : summaryLine(m_watch, m_finder.worst())) +
                          (delays.isEmpty() ? delays : u'\n' + delays));
}

void FramesWindow::select(std::uint64_t place) {
  m_bars->setSelected(place);
  showCulprits();
  m_table->select(place);
}

void FramesWindow::selectWorst() {
  if (m_watch.worst().rows().empty()) return;
  const std::uint64_t place = m_watch.worst().rows().front().place;
  select(place);
  bringIntoView(place);
}

void FramesWindow::selectWorstShown() {
  const FrameHistory& history = m_watch.history();
  if (history.empty()) return;
  const auto shown = history.stretch(history.placeAt(m_view.from()), history.placeAt(m_view.to()));
  if (shown) select(shown->flagged.value_or(shown->longest));
}

void FramesWindow::bringIntoView(std::uint64_t place) {
  if (place < m_watch.history().begin()) return;
  const GameFrame frame = m_watch.history().at(place).frame;
  if (frame.start < m_view.from() || frame.start + frame.duration > m_view.to())
    m_view.goTo(frame.start + frame.duration / 2);
}

void FramesWindow::showCulprits() {
  const std::uint64_t place = *selected();
  const FrameHistory& history = m_watch.history();
  const bool there = place >= history.begin() && place < history.end();
  const auto judged = there ? std::optional(history.at(place)) : std::nullopt;
  const QString frame = judged ? frameHead(*judged) : QString();
  m_culprits->setParts(judged ? frameParts(judged->frame, m_watch.rules().nsPerFault) : std::vector<Part>());
  m_finder.askForAll(place);
  if (auto found = m_finder.found(place)) m_culprits->show(frame, std::move(found), m_watch.whyNoStacks());
  else
    m_culprits->showWhyNot(frame,
                           m_finder.busyWith(place) ? tr("Reading call stacks…") : whyNoCulprits(m_watch, place));
}

QString FramesWindow::culpritLines() {
  return faultline::culpritLines(m_finder.foundOfWorst(kWorstOfLines));
}

void FramesWindow::setBudget(const QString& text) {
  if (const auto budget = parseBudget(text)) {
    m_watch.setBudget(*budget);
    Settings settings = m_settings.get();
    settings.frameBudget = *budget;
    m_settings.set(settings);
  } else {
    say(tr("A budget is a number of milliseconds from 0.1 to 10 000."));
  }
  m_controls->showBudget(m_watch.rules().budget);
}

void FramesWindow::setStacks(SampleMode stacks) {
  Settings settings = m_settings.get();
  settings.frameStacks = stacks;
  m_settings.set(settings);
  if (stacks != m_watch.stacks() && m_watch.state() != GameWatch::State::Exited) m_watch.start(stacks);
}

void FramesWindow::setEnd(const QString& text) {
  if (m_watch.state() == GameWatch::State::Exited)
    say(tr("The game has ended: another end of its frames is too late."));
  else m_watch.watchBy(parseFrameEnd(text));
}

void FramesWindow::savePicture() {
  saveAs(
      this,
      {tr("Save picture of the frames"), QStringLiteral("faultline-frames"), QStringLiteral(".png"), pictureKinds()},
      [this, text = FramePictureText{windowTitle(), m_controls->summary(), markSentence(m_watch)}](
          const QString& file) { return saveFramePicture(*m_bars, text, file); },
      saying());
}

void FramesWindow::copySummary() {
  QApplication::clipboard()->setText(m_controls->summary());
  say(tr("Copied: %1").arg(m_controls->summary()));
}

void FramesWindow::say(const Result<QString>& sentence) {
  const QString words = sentence ? *sentence : QString::fromStdString(sentence.error().message);
  if (!words.isEmpty()) statusBar()->showMessage(words, kSayMs);
}

void FramesWindow::restoreLayout() {
  const Settings& settings = m_settings.get();
  resize(sizeOnScreen(*this, {1180, 760}));
  restoreGeometry(settings.framesGeometry);
  m_whole->restoreState(settings.framesRows);
  m_lower->restoreState(settings.framesColumns);
  m_table->restoreColumns(settings.framesTable);
}

void FramesWindow::rememberLayout() {
  Settings settings = m_settings.get();
  settings.framesGeometry = saveGeometry();
  settings.framesRows = m_whole->saveState();
  settings.framesColumns = m_lower->saveState();
  settings.framesTable = m_table->saveColumns();
  m_settings.set(settings);
}

void FramesWindow::closeEvent(QCloseEvent* event) {
  rememberLayout();
  QMainWindow::closeEvent(event);
}

void FramesWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  refresh();
}

void FramesWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange && !isMinimized()) refresh();
}

// Receives the keys that the focused widget ignores.
void FramesWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return m_view.goLive();
  if (!m_view.takeKey(event->key())) QMainWindow::keyPressEvent(event);
}

}  // namespace faultline

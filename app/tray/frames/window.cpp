#include "app/tray/frames/window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/tray/frames/words.h"
#include "app/tray/table/cell_delegate.h"
#include "app/tray/table/header.h"
#include "app/tray/widgets/calm_box.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/screen_fit.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr int kRedrawMs = 33;
constexpr int kSettleMs = 300;
constexpr auto kLeastSpan = 20ms;
constexpr auto kFirstSpan = 10s;
constexpr int kCellPadding = 14;
constexpr int kRowPadding = 6;

struct Budget {
  double ms;
  const char* words;
};
constexpr std::array<Budget, 4> kBudgets{{{33.3, "30 Hz"}, {16.7, "60 Hz"}, {8.3, "120 Hz"}, {6.9, "144 Hz"}}};

}  // namespace

FramesWindow::FramesWindow(const WatchedProcess& process, SettingsStore& settings, const QString& collectorFolder,
                           QWidget* parent)
    : QMainWindow(parent, Qt::Window),
      m_settings(settings),
      m_watch(process, FrameRules{.budget = settings.get().frameBudget}, collectorFolder),
      m_finder(m_watch),
      m_view(nullptr, kLeastSpan),
      m_summary(new QLabel),
      m_copy(new QToolButton),
      m_budget(new CalmBox),
      m_stacks(new CalmBox),
      m_bars(new FrameBars(m_watch.history(), m_view)),
      m_range(new RangeBar(m_view, {1s, 10s, 60s, 600s})),
      m_model(new FrameModel(m_watch.worst(), this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView),
      m_header(new TableHeader(m_table)),
      m_cells(new CellDelegate(this)),
      m_culprits(new CulpritPanel),
      m_lower(new QSplitter(Qt::Horizontal)),
      m_whole(new QSplitter(Qt::Vertical)),
      m_state(new LineLabel),
      m_permission(new QToolButton) {
  setWindowTitle(tr("Frames of %1 (%2)").arg(process.name).arg(process.pid));
  m_view.setSpan(kFirstSpan);
  buildControls();
  buildTable();
  layOut();
  buildMenus();
  connectAll();
  applyTheme();
  resize(sizeOnScreen(*this, {1180, 760}));
  restoreGeometry(settings.get().framesGeometry);
  m_whole->restoreState(settings.get().framesRows);
  m_lower->restoreState(settings.get().framesColumns);
  if (m_header->restoreState(settings.get().framesTable))
    m_table->sortByColumn(m_header->sortIndicatorSection(), m_header->sortIndicatorOrder());
  m_bars->setBudget(m_watch.rules().budget);
  m_watch.start(settings.get().frameStacks);
  refresh();
  m_bars->setFocus();
}

void FramesWindow::buildControls() {
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setWordWrap(true);
  m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_copy->setText(tr("Copy"));
  m_copy->setToolTip(tr("Copy this line, fit for a bug report (Ctrl+Shift+C)"));
  m_copy->setFocusPolicy(Qt::StrongFocus);

  m_budget->setEditable(true);
  m_budget->setInsertPolicy(QComboBox::NoInsert);
  m_budget->setAccessibleName(tr("Budget of a frame"));
  m_budget->setToolTip(tr("What a frame may last before it is late, in milliseconds. All frames are judged anew."));
  for (const Budget& budget : kBudgets)
    m_budget->addItem(tr("%L1 ms, %2").arg(budget.ms).arg(QLatin1StringView(budget.words)), budget.ms);

  m_stacks->setAccessibleName(tr("Call stacks"));
  m_stacks->addItem(tr("no stacks"));
  m_stacks->addItem(tr("stacks of spikes"));
  m_stacks->addItem(tr("every 16th stack"));
  m_stacks->addItem(tr("every stack"));
  m_stacks->setToolTip(
      tr("Of which faults the call stack is kept, so that their culprits can be told. A kept one costs the game about "
         "0.8 µs:\nof spikes: every 16th, once a frame's faults have begun to delay it; nothing while the game runs "
         "smoothly\nevery 16th: some 0.05 µs for each fault\nevery: 0.8 µs for each, which may double what faults "
         "cost\nA change begins to watch anew; the frames seen so far stay."));
  m_stacks->setCurrentIndex(static_cast<int>(m_settings.get().frameStacks));
  m_state->setContentsMargins(8, 0, 8, 0);
  statusBar()->addWidget(m_state, 1);
  m_permission->setText(tr("Needs a one-time permission · Set up…"));
  m_permission->setAutoRaise(true);
  m_permission->setFocusPolicy(Qt::StrongFocus);
  m_permission->hide();
  statusBar()->addPermanentWidget(m_permission);
  showBudget();
}

void FramesWindow::buildTable() {
  m_sorted->setSourceModel(m_model);
  m_sorted->setSortRole(FrameModel::SortRole);
  m_table->setHorizontalHeader(m_header);
  m_table->setModel(m_sorted);
  m_table->setItemDelegate(m_cells);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setShowGrid(false);
  m_table->setWordWrap(false);
  m_table->setTabKeyNavigation(false);
  m_table->setAccessibleName(tr("The worst frames"));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_header->setSortIndicator(-1, Qt::DescendingOrder);  // the model's own order: what faults have cost
  m_table->setSortingEnabled(true);
  const QFontMetrics text = m_table->fontMetrics();
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int widest = std::max(text.horizontalAdvance(title), text.horizontalAdvance(QStringLiteral("88.8 ms")));
    m_table->setColumnWidth(column, widest + kCellPadding);
  }
  const auto culprit = static_cast<int>(FrameColumn::Culprit);
  m_header->moveSection(m_header->visualIndex(culprit), static_cast<int>(FrameColumn::Faults) + 1);
  for (const FrameColumn wide : {FrameColumn::Time, FrameColumn::InFaults})
    m_table->setColumnWidth(static_cast<int>(wide), text.horizontalAdvance(QStringLiteral("≈ 88.8 ms")) + kCellPadding);
  m_table->setColumnWidth(culprit, text.horizontalAdvance(u'0') * 28);
}

void FramesWindow::layOut() {
  auto* controls = new QHBoxLayout;
  controls->setContentsMargins(12, 8, 12, 8);
  controls->setSpacing(8);
  controls->addWidget(m_summary, 1);
  controls->addWidget(m_copy);
  controls->addSpacing(8);
  controls->addWidget(m_budget);
  controls->addWidget(m_stacks);
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
  rows->addLayout(controls);
  rows->addWidget(m_whole, 1);
  setCentralWidget(central);
}

void FramesWindow::connectAll() {
  m_redraw.setSingleShot(true);
  m_redraw.setInterval(kRedrawMs);
  connect(&m_redraw, &QTimer::timeout, m_bars, &FrameBars::refresh);
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &FramesWindow::refresh);
  connect(&m_watch, &GameWatch::ingested, this, &FramesWindow::arrived);
  connect(&m_watch, &GameWatch::stateChanged, this, &FramesWindow::refreshWords);
  connect(&m_watch, &GameWatch::judgedAnew, this, [this] {
    m_model->reset();
    m_bars->setBudget(m_watch.rules().budget);
    refresh();
  });
  connect(&m_finder, &CulpritFinder::foundNow, this, [this](quint64 place) {
    const std::uint64_t faults = place >= m_watch.history().begin() ? m_watch.history().at(place).frame.faults() : 0;
    m_model->setCulprit(place, QString::fromStdString(culpritText(*m_finder.found(place), faults)));
    if (place == selected()) showCulprits();
  });
  connect(m_bars, &FrameBars::frameClicked, this, &FramesWindow::select);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FramesWindow::tableChosen);
  connect(m_copy, &QToolButton::clicked, this, &FramesWindow::copySummary);
  connect(m_permission, &QToolButton::clicked, this, &FramesWindow::showGrant);
  connect(m_budget, &QComboBox::activated, this, &FramesWindow::chooseBudget);
  connect(m_budget->lineEdit(), &QLineEdit::editingFinished, this, &FramesWindow::chooseBudget);
  connect(m_stacks, &QComboBox::activated, this, &FramesWindow::chooseStacks);
}

void FramesWindow::arrived() {
  m_finder.notice();
  if (!isVisible() || isMinimized()) return;
  if (!m_redraw.isActive()) m_redraw.start();
  if (!m_settle.isActive()) m_settle.start();
}

void FramesWindow::refresh() {
  m_bars->refresh();
  if (m_model->rowCount() == 0 && !m_watch.history().empty()) m_model->setZero(m_watch.history().oldest());
  m_model->refresh();
  refreshWords();
  askForCulprits();
  if (selected()) showCulprits();
}

void FramesWindow::refreshWords() {
  m_range->setEnded(m_watch.state() == GameWatch::State::Exited || m_watch.state() == GameWatch::State::Failed);
  QString state = m_watch.stateText();
  QString tip;
  if (const auto& game = m_watch.game()) {
    for (const QString& part : {markSentence(m_watch), qualitySentence(*game), lossSentence(m_watch.totals())})
      if (!part.isEmpty()) state += QStringLiteral(" · ") + part;
    tip = QString::fromStdString(m_watch.choice().why) + QStringLiteral("\n\n") + qualityDetails(*game);
  }
  m_state->setLine(state);
  m_state->setToolTip(plainToolTip(tip.isEmpty() ? state : state + QStringLiteral("\n\n") + tip));
  m_permission->setVisible(needsPermission(m_watch));
  m_bars->setEmptyText(m_watch.stateText());
  const auto& worst = m_watch.tally().worst;
  QString culprit;
  for (const WorstFrames::Row& row : m_watch.worst().rows())
    if (!worst.empty() && row.judged.frame == worst.front().frame)
      if (const auto found = m_finder.found(row.place))
        culprit = QString::fromStdString(culpritText(*found, row.judged.frame.faults()));
  const QString summary = m_watch.history().empty() ? m_watch.stateText() : summaryLine(m_watch, culprit);
  if (m_summary->text() != summary) m_summary->setText(summary);
}

void FramesWindow::rememberLayout() {
  Settings settings = m_settings.get();
  settings.framesGeometry = saveGeometry();
  settings.framesRows = m_whole->saveState();
  settings.framesColumns = m_lower->saveState();
  settings.framesTable = m_header->saveState();
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
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  if (event->type() == QEvent::WindowStateChange && !isMinimized()) refresh();
}

// What nothing that has the focus had a use for moves the picture; Escape goes back one step, to live.
void FramesWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return m_view.goLive();
  if (!m_view.takeKey(event->key())) QMainWindow::keyPressEvent(event);
}

void FramesWindow::applyTheme() {
  const Theme theme = themeFor(palette());
  m_cells->setTheme(theme);
  m_cells->setFont(m_table->font());
  m_header->setTheme(theme);
  m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
}

}  // namespace faultline

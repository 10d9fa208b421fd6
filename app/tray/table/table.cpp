#include "app/tray/table/table.h"

#include <QApplication>
#include <QCheckBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "app/tray/processes/filter.h"
#include "app/tray/table/cost_line.h"
#include "app/tray/table/header.h"
#include "app/tray/table/sparkline_delegate.h"
#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr Nanoseconds kSettleEvery = 2s;
constexpr auto kStandsStill = 250ms;
constexpr int kRowPadding = 6;
constexpr int kCellPadding = 14;

// Choosing the next row when the current one goes, and scrolling there, is for files in a folder: here rows go all the
// time, and nobody meant the next.
class SteadyTable : public QTableView {
 protected:
  void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override {
    const int current = currentIndex().row();
    if (current >= start && current <= end) selectionModel()->clearCurrentIndex();
    QTableView::rowsAboutToBeRemoved(parent, start, end);
  }
};

}  // namespace

ProcessTable::ProcessTable(const Monitor& monitor, Pins& pins, QWidget* parent)
    : QWidget(parent),
      m_monitor(monitor),
      m_pins(pins),
      m_model(new ProcessModel(monitor, pins, this)),
      m_rows(new ProcessFilter(*m_model, this)),
      m_filter(new QLineEdit),
      m_activeOnly(new QCheckBox(u"Active only"_s)),
      m_tree(new QCheckBox(u"Tree"_s)),
      m_instant(new QLabel),
      m_count(new QLabel),
      m_view(new SteadyTable),
      m_nothing(new QLabel),
      m_cost(new CostLine(monitor)),
      m_header(new TableHeader(m_view)),
      m_cells(new CellDelegate(this)),
      m_sparklines(new SparklineDelegate(monitor, this)),
      m_soon(new QTimer(this)) {
  auto* line = new QHBoxLayout;
  line->setContentsMargins(6, 4, 6, 4);
  line->setSpacing(12);
  line->addWidget(m_instant);
  line->addWidget(m_filter, 1);
  line->addWidget(m_activeOnly);
  line->addWidget(m_tree);
  line->addWidget(m_count);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(line);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_cost);
  buildFilterLine();
  buildTable();
  connectAll();
  setColumnWidths();
  applyTheme();
}

void ProcessTable::buildFilterLine() {
  m_filter->setPlaceholderText(u"Filter by name, command line, user, parent or pid: several words narrow it"_s);
  m_filter->setAccessibleName(u"Filter processes"_s);
  m_filter->setClearButtonEnabled(true);
  m_filter->installEventFilter(this);
  m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_count->setMinimumWidth(fontMetrics().horizontalAdvance(u"0000 processes · 00 ended"_s));
  m_activeOnly->setToolTip(u"Show only processes that faulted within the last minute, and pinned ones."_s);
  m_tree->setToolTip(
      u"Show each process below the one that started it. Its numbers are then those of all that it started, too: "
      u"totals with those that have ended since Faultline watches, levels and rates of those that are there."_s);
}

void ProcessTable::buildTable() {
  m_view->setHorizontalHeader(m_header);
  m_view->setModel(m_rows);
  m_view->setItemDelegate(m_cells);
  m_view->setItemDelegateForColumn(columnIndex(Column::LastMinute), m_sparklines);
  m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setShowGrid(false);
  m_view->setWordWrap(false);
  m_view->setTabKeyNavigation(false);
  m_view->setAccessibleName(u"Processes"_s);
  m_view->installEventFilter(this);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_header->setSortIndicator(m_rows->sortColumn(), m_rows->sortOrder());
  orderColumns();
  m_view->setSortingEnabled(true);
  m_nothing->setTextFormat(Qt::PlainText);
  m_nothing->setWordWrap(true);
  m_nothing->setMargin(kCellPadding);
  m_nothing->hide();
  (new QVBoxLayout(m_view->viewport()))->addWidget(m_nothing, 0, Qt::AlignTop);
}

void ProcessTable::connectAll() {
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_rows->setText(text);
    follow();
  });
  connect(m_activeOnly, &QCheckBox::toggled, this, [this](bool only) {
    m_rows->setActiveOnly(only);
    follow();
  });
  connect(m_tree, &QCheckBox::toggled, this, [this](bool tree) {
    m_rows->setTree(tree);
    follow();
  });
  const auto isStar = [](const QModelIndex& index) { return index.column() == columnIndex(Column::Mark); };
  connect(m_view, &QTableView::clicked, this, [this, isStar](const QModelIndex& index) {
    if (isStar(index)) m_pins.toggle(m_rows->entry(index).key);
  });
  connect(m_view, &QTableView::doubleClicked, this, [this, isStar](const QModelIndex& index) {
    if (!isStar(index)) m_pins.toggle(m_rows->entry(index).key);
  });
  connect(&m_pins, &Pins::changed, this, &ProcessTable::follow);
  // Later: a row that goes takes its selection with it before it has gone.
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ProcessTable::chooseCostSubject,
          Qt::QueuedConnection);
  m_soon->setSingleShot(true);
  m_soon->setInterval(kStandsStill);
  connect(m_soon, &QTimer::timeout, this, &ProcessTable::settleNow);
}

void ProcessTable::refresh() {
  if (!isVisible()) return;
  m_model->refresh();
  const MonotonicTime time = m_model->shownTime();
  if (!m_model->instant() && (!m_settled || time < *m_settled || time - *m_settled >= kSettleEvery)) settleNow();
  follow();
  chooseCostSubject();
  m_cost->refresh();
}

void ProcessTable::setFollowed(std::optional<ProcessKey> key) {
  m_followed = key;
  chooseCostSubject();
}

// Once chosen a build stays the subject when it has ended and its row has gone, until a hand chooses another.
void ProcessTable::chooseCostSubject() {
  const std::vector<ProcessKey> selected = selectedKeys();
  const QModelIndex current = m_view->currentIndex();
  if (!selected.empty()) {
    const bool isCurrent = m_view->selectionModel()->isRowSelected(current.row());
    m_cost->setSubject(isCurrent ? m_rows->entry(current).key : selected.front());
  } else if (const auto subject = m_cost->subject(); !subject || m_model->shows(*subject)) {
    m_cost->setSubject(m_followed);
  }
}

void ProcessTable::showInstant(std::optional<MonotonicTime> instant) {
  if (instant == m_model->instant()) return;
  m_model->showInstant(instant);
  m_settled.reset();
  m_soon->start();
  follow();
}

// Never under a hand: not while a button is down or a menu open. The next refresh tries again.
void ProcessTable::settleNow() {
  if (QApplication::mouseButtons() != Qt::NoButton || QApplication::activePopupWidget()) {
    if (m_model->instant()) m_soon->start();
    return;
  }
  m_rows->settle(m_settled && !m_model->instant() ? Settling::Calm : Settling::Exact);
  m_settled = m_model->shownTime();
}

void ProcessTable::follow() {
  m_sparklines->setTime(m_model->shownTime());
  const int all = m_model->rowCount();
  const int shown = m_rows->rowCount();
  const auto ended = static_cast<int>(m_model->endedCount());
  QString count = shown == all ? u"%1 processes"_s.arg(all - ended) : u"%1 of %2"_s.arg(shown).arg(all);
  if (shown == all && ended > 0) count += u" · %1 ended"_s.arg(ended);
  if (m_count->text() != count) m_count->setText(count);
  tellInstant();
  tellNothing();
  showMeasuredColumns();
}

void ProcessTable::tellInstant() {
  const auto instant = m_model->instant();
  m_instant->setVisible(instant.has_value());
  if (!instant) return;
  const auto wall =
      std::chrono::duration_cast<std::chrono::milliseconds>(m_monitor.history().wall(*instant).sinceEpoch);
  m_instant->setText(
      u"◆ standing at %1"_s.arg(QDateTime::fromMSecsSinceEpoch(wall.count()).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s)));
}

void ProcessTable::choose(const ProcessKey& key) {
  m_model->refresh();
  const auto place = [&] {
    for (int row = 0; row < m_rows->rowCount(); ++row)
      if (m_rows->entry(m_rows->index(row, 0)).key == key) return m_rows->index(row, columnIndex(Column::Process));
    return QModelIndex();
  };
  if (!place().isValid() && m_model->shows(key)) {
    m_filter->clear();
    m_activeOnly->setChecked(false);
  }
  const QModelIndex found = place();
  if (!found.isValid()) return m_view->clearSelection();
  m_view->selectRow(found.row());
  m_view->scrollTo(found);
}

void ProcessTable::setHere(bool here) {
  m_model->setHere(here);
}

// A filter that nothing passes leaves no blank.
void ProcessTable::tellNothing() {
  const bool nothing = m_rows->rowCount() == 0 && m_model->rowCount() > 0;
  m_nothing->setVisible(nothing);
  if (!nothing) return;
  const QString text = m_filter->text().trimmed();
  const QString active = m_activeOnly->isChecked() ? u" has faulted within the last minute"_s : QString();
  m_nothing->setText(text.isEmpty() ? u"No process%1."_s.arg(active)
                                    : u"No process with “%1” in its name, command line, user or parent, or at the "
                                      u"beginning of its pid,%2. Esc in "
                                      u"the filter clears it."_s.arg(text, active.isEmpty() ? u" is here"_s : active));
}

void ProcessTable::orderColumns() {
  int place = 0;
  for (const Column column : columnOrder()) {
    m_header->moveSection(m_header->visualIndex(columnIndex(column)), place++);
    m_wanted[at(column)] = columnInfo(column).shown;
    m_header->setSectionHidden(columnIndex(column), true);
  }
  showMeasuredColumns();
}

// What nobody measures takes no room. A hand may bring such a column back all the same: it says why it is empty.
void ProcessTable::showMeasuredColumns() {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    const bool measured =
        !needsCapabilities(info) || m_monitor.hello().quality(info.metric).grade != Grade::Unavailable;
    const int section = static_cast<int>(c);
    if (std::exchange(m_measured[c], measured) == measured) continue;
    if (!measured) m_wanted[c] = !m_header->isSectionHidden(section);
    m_header->setSectionHidden(section, !measured || !m_wanted[c]);
  }
}

// A column that is away for want of a measurement is saved as wanted.
QByteArray ProcessTable::columns() const {
  const auto away = [this](std::size_t c) { return !m_measured[c] && m_wanted[c]; };
  const auto hide = [&](bool hidden) {
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (away(c)) m_header->setSectionHidden(static_cast<int>(c), hidden);
  };
  hide(false);
  const QByteArray state = m_header->saveState();
  hide(true);
  return state;
}

void ProcessTable::setColumns(const QByteArray& columns) {
  if (columns.isEmpty() || !m_header->restoreState(columns)) return;
  m_measured.fill(true);
  showMeasuredColumns();
}

void ProcessTable::focusFilter() {
  m_filter->setFocus(Qt::ShortcutFocusReason);
  m_filter->selectAll();
}

void ProcessTable::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool sizes = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
  if (sizes) setColumnWidths();
  if (sizes || event->type() == QEvent::PaletteChange) applyTheme();
}

void ProcessTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_settled.reset();
  refresh();
}

void ProcessTable::applyTheme() {
  const Theme theme = themeFor(palette());
  for (CellDelegate* cells : {m_cells, static_cast<CellDelegate*>(m_sparklines)}) {
    cells->setTheme(theme);
    cells->setFont(m_view->font());
  }
  m_header->setTheme(theme);
  // Not every platform's dark palette has one of its own. Set only when that changes it, or it would ask for it again.
  QPalette filter = palette();
  filter.setColor(QPalette::PlaceholderText, theme.dimInk);
  m_filter->setPalette(filter);
  m_activeOnly->setPalette(boxPalette(palette()));
  m_tree->setPalette(boxPalette(palette()));
  QPalette quiet = palette();
  quiet.setColor(QPalette::WindowText, theme.dimInk);
  m_cost->setPalette(quiet);
  m_nothing->setPalette(quiet);
  QPalette standing = palette();
  standing.setColor(QPalette::WindowText, theme.spike);
  m_instant->setPalette(standing);
  m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + kRowPadding);
}

void ProcessTable::setColumnWidths() {
  const QFontMetrics text = m_view->fontMetrics();
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    const int title = text.horizontalAdvance(QString::fromUtf8(info.title)) + text.height();
    const int widest = std::max(title, text.horizontalAdvance(QString::fromUtf8(info.widest)));
    m_view->setColumnWidth(static_cast<int>(c), widest + kCellPadding);
  }
}

}  // namespace faultline

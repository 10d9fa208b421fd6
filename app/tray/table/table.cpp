#include "app/tray/table/table.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "app/tray/processes/filter.h"
#include "app/tray/table/filter_line.h"
#include "app/tray/table/header.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/table/sparkline_delegate.h"
#include "app/tray/table/view.h"
#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr Nanoseconds kSettleEvery = 2s;
constexpr auto kStandsStill = 250ms;
constexpr int kRowPadding = 6;
constexpr int kNoticeMargin = 14;

}  // namespace

ProcessTable::ProcessTable(const Monitor& monitor, Pins& pins, QWidget* parent)
    : QWidget(parent),
      m_monitor(monitor),
      m_pins(pins),
      m_model(new ProcessModel(monitor, pins, this)),
      m_rows(new ProcessFilter(*m_model, this)),
      m_line(new FilterLine(*m_rows)),
      m_view(new TableView(*m_rows)),
      m_actions(new RowActions(monitor, pins, *m_model, *m_rows, *m_view, this)),
      m_nothing(new QLabel),
      m_header(new TableHeader(m_view)),
      m_columns(*m_view, *m_header),
      m_cells(new CellDelegate(this)),
      m_sparklines(new SparklineDelegate(monitor, this)),
      m_soon(new QTimer(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_line);
  layout->addWidget(m_view, 1);
  buildTable();
  connectAll();
  m_columns.setWidths();
  applyTheme();
}

void ProcessTable::buildTable() {
  m_view->setHorizontalHeader(m_header);
  m_view->setItemDelegate(m_cells);
  m_view->setItemDelegateForColumn(columnIndex(Column::LastMinute), m_sparklines);
  m_view->installEventFilter(this);
  m_header->setSortIndicator(m_rows->sortColumn(), m_rows->sortOrder());
  m_columns.order(m_monitor.hello());
  m_view->setSortingEnabled(true);
  m_nothing->setTextFormat(Qt::PlainText);
  m_nothing->setWordWrap(true);
  m_nothing->setMargin(kNoticeMargin);
  m_nothing->hide();
  (new QVBoxLayout(m_view->viewport()))->addWidget(m_nothing, 0, Qt::AlignTop);
}

void ProcessTable::connectAll() {
  connect(m_actions, &RowActions::followRequested, this, &ProcessTable::followRequested);
  connect(m_actions, &RowActions::framesRequested, this, &ProcessTable::framesRequested);
  m_line->edit().installEventFilter(this);
  connect(m_line, &FilterLine::changed, this, &ProcessTable::follow);
  const auto isStar = [](const QModelIndex& index) { return index.column() == columnIndex(Column::Mark); };
  connect(m_view, &QTableView::clicked, this, [this, isStar](const QModelIndex& index) {
    if (isStar(index)) m_pins.toggle(m_rows->entry(index).key);
  });
  connect(m_view, &QTableView::doubleClicked, this, [this, isStar](const QModelIndex& index) {
    if (!isStar(index)) m_pins.toggle(m_rows->entry(index).key);
  });
  connect(&m_pins, &Pins::changed, this, &ProcessTable::follow);
  // Queued, because a row that is removed loses its selection before its removal.
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ProcessTable::chooseSubject,
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
  chooseSubject();
}

void ProcessTable::setFollowed(std::optional<ProcessKey> key) {
  m_followed = key;
  chooseSubject();
}

void ProcessTable::chooseSubject() {
  const std::vector<ProcessKey> selected = m_actions->selected();
  const QModelIndex current = m_view->currentIndex();
  std::optional<ProcessKey> subject = m_subject;
  if (!selected.empty()) {
    const bool isCurrent = m_view->selectionModel()->isRowSelected(current.row());
    subject = isCurrent ? m_rows->entry(current).key : selected.front();
  } else if (!subject || m_model->shows(*subject)) {
    subject = m_followed;
  }
  if (std::exchange(m_subject, subject) != subject) Q_EMIT subjectChanged(subject);
}

const ProcessEntry* ProcessTable::entry(const ProcessKey& key) const {
  return m_model->find(key);
}

CellContext ProcessTable::context() const {
  return {m_monitor.hello(), m_model->instant().has_value()};
}

MonotonicTime ProcessTable::shownTime() const {
  return m_model->shownTime();
}

void ProcessTable::showInstant(std::optional<MonotonicTime> instant) {
  if (instant == m_model->instant()) return;
  m_model->showInstant(instant);
  m_settled.reset();
  m_soon->start();
  follow();
}

// Not while a mouse button is down or a menu is open. The next refresh tries again.
void ProcessTable::settleNow() {
  if (QApplication::mouseButtons() != Qt::NoButton || QApplication::activePopupWidget()) {
    if (m_model->instant()) m_soon->start();
    return;
  }
  m_rows->settle();
  m_settled = m_model->shownTime();
}

void ProcessTable::follow() {
  m_sparklines->setTime(m_model->shownTime());
  m_line->tell(*m_model, m_monitor.history());
  tellNothing();
  m_columns.showMeasured(m_monitor.hello());
  sortByCost();
}

void ProcessTable::sortByCost() {
  if (m_sorted || m_monitor.hello().quality(ProcessMetric::FaultTime).grade == Grade::Unavailable) return;
  m_sorted = true;
  m_view->sortByColumn(columnIndex(Column::FaultTimeRate), Qt::DescendingOrder);
}

void ProcessTable::choose(const ProcessKey& key) {
  m_model->refresh();
  const auto place = [&] { return m_rows->find(key, columnIndex(Column::Process)); };
  if (!place().isValid() && m_model->shows(key)) {
    m_line->showAll();
    m_rows->unfoldTo(key);
  }
  const QModelIndex found = place();
  if (!found.isValid()) return m_view->clearSelection();
  m_view->selectRow(found.row());
  m_view->scrollTo(found);
}

void ProcessTable::setHere(bool here) {
  m_model->setHere(here);
}

void ProcessTable::setReplay(bool replay) {
  m_model->setReplay(replay);
  if (!replay) return;
  m_settled.reset();
  refresh();
}

// Shows the reason if no row passes the filter.
void ProcessTable::tellNothing() {
  const bool nothing = m_rows->rowCount() == 0 && m_model->rowCount() > 0;
  m_nothing->setVisible(nothing);
  if (nothing) m_nothing->setText(m_line->whyNothing());
}

QByteArray ProcessTable::columns() const {
  return m_columns.saved();
}

void ProcessTable::setColumns(const QByteArray& columns) {
  m_sorted = m_columns.restore(columns, m_monitor.hello());
}

void ProcessTable::focusFilter() {
  m_line->edit().setFocus(Qt::ShortcutFocusReason);
  m_line->edit().selectAll();
}

void ProcessTable::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool sizes = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
  if (sizes) m_columns.setWidths();
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
  m_line->setColours(palette());
  QPalette quiet = palette();
  quiet.setColor(QPalette::WindowText, theme.dimInk);
  m_nothing->setPalette(quiet);
  m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + kRowPadding);
}

}  // namespace faultline

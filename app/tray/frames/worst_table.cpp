#include "app/tray/frames/worst_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "app/tray/table/cell_delegate.h"
#include "app/tray/table/header.h"
#include "app/tray/table/view.h"

namespace faultline {
namespace {

constexpr int kCellPadding = 14;
constexpr int kRowPadding = 6;
constexpr const char* kColumnsKnown = "columns=";  // behind a saved layout: how many there were

}  // namespace

WorstTable::WorstTable(const WorstFrames& worst, QWidget* parent)
    : QTableView(parent),
      m_model(new FrameModel(worst, this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_header(new TableHeader(this)),
      m_cells(new CellDelegate(this)) {
  m_sorted->setSourceModel(m_model);
  m_sorted->setSortRole(FrameModel::SortRole);
  setHorizontalHeader(m_header);
  setModel(m_sorted);
  setItemDelegate(m_cells);
  setUpRows(*this, QAbstractItemView::SingleSelection);
  setAccessibleName(tr("The worst frames"));
  m_header->setSortIndicator(-1, Qt::DescendingOrder);  // the model's own order: the cost of the faults
  setSortingEnabled(true);
  setUpColumns();
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (!m_selecting && !rows.isEmpty()) Q_EMIT chosen(placeOf(rows.first()));
  });
  applyTheme();
}

void WorstTable::setUpColumns() {
  const QFontMetrics text = fontMetrics();
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int widest = std::max(text.horizontalAdvance(title), text.horizontalAdvance(QStringLiteral("88.8 ms")));
    setColumnWidth(column, widest + kCellPadding);
    setColumnHidden(column, column >= kOwnFrameColumns);
  }
  const auto culprit = static_cast<int>(FrameColumn::Culprit);
  m_header->moveSection(m_header->visualIndex(culprit), m_model->columnCount() - 1);
  for (const FrameColumn column : {FrameColumn::Time, FrameColumn::Own, FrameColumn::Zeroed, FrameColumn::Explained})
    setColumnHidden(static_cast<int>(column), true);
  for (const FrameColumn wide : {FrameColumn::Time, FrameColumn::ForMemory}) {
    const int column = static_cast<int>(wide);
    const int value = text.horizontalAdvance(QStringLiteral("≈ 88.8 ms")) + kCellPadding;
    setColumnWidth(column, std::max(columnWidth(column), value));
  }
  setColumnWidth(culprit, text.horizontalAdvance(u'0') * 20);
}

std::uint64_t WorstTable::placeOf(const QModelIndex& index) const {
  return m_model->place(m_sorted->mapToSource(index).row());
}

void WorstTable::refresh(const FrameHistory& history) {
  if (m_model->rowCount() == 0 && !history.empty()) m_model->setZero(history.oldest());
  m_model->refresh();
  m_model->forgetBefore(history.begin());
}

void WorstTable::rebuild() {
  m_model->reset();
}

void WorstTable::select(std::uint64_t place) {
  m_selecting = true;
  m_model->refresh();  // a new frame may have no row yet
  if (const auto row = m_model->rowOf(place)) {
    const QModelIndex index = m_sorted->mapFromSource(m_model->index(*row, 0));
    setCurrentIndex(index);
    scrollTo(index);
  } else {
    clearSelection();
  }
  m_selecting = false;
}

std::vector<std::uint64_t> WorstTable::top(int most) const {
  std::vector<std::uint64_t> places;
  for (int row = 0; row < std::min(m_sorted->rowCount(), most); ++row)
    places.push_back(placeOf(m_sorted->index(row, 0)));
  return places;
}

void WorstTable::fillColumns(QMenu& menu) {
  m_header->fillMenu(menu);
}

QByteArray WorstTable::saveColumns() const {
  return m_header->saveState() + kColumnsKnown + QByteArray::number(m_model->columnCount());
}

void WorstTable::restoreColumns(const QByteArray& state) {
  if (!m_header->restoreState(state)) return;
  const qsizetype known = state.lastIndexOf(kColumnsKnown);
  const int count = known < 0 ? kOwnFrameColumns : state.mid(known + qstrlen(kColumnsKnown)).toInt();
  for (int column = count; column < m_model->columnCount(); ++column) setColumnHidden(column, true);
  sortByColumn(m_header->sortIndicatorSection(), m_header->sortIndicatorOrder());
}

void WorstTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
}

void WorstTable::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) {
  leaveRows(*this, start, end);
  QTableView::rowsAboutToBeRemoved(parent, start, end);
}

void WorstTable::applyTheme() {
  const Theme theme = themeFor(palette());
  m_cells->setTheme(theme);
  m_cells->setFont(font());
  m_header->setTheme(theme);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
}

}  // namespace faultline

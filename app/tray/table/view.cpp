#include "app/tray/table/view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>

#include "app/tray/processes/filter.h"

namespace faultline {

void setUpRows(QTableView& table, QAbstractItemView::SelectionMode mode) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(mode);
  table.setEditTriggers(QAbstractItemView::NoEditTriggers);
  table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setFrameShape(QFrame::NoFrame);
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

void leaveRows(QTableView& table, int first, int last) {
  const int current = table.currentIndex().row();
  if (current >= first && current <= last) table.selectionModel()->clearCurrentIndex();
}

TableView::TableView(ProcessFilter& rows, QWidget* parent) : QTableView(parent), m_rows(rows) {
  setModel(&rows);
  setUpRows(*this, QAbstractItemView::ExtendedSelection);
  setAccessibleName(tr("Processes"));
}

void TableView::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) {
  leaveRows(*this, start, end);
  QTableView::rowsAboutToBeRemoved(parent, start, end);
}

void TableView::keyPressEvent(QKeyEvent* event) {
  const bool left = event->key() == Qt::Key_Left;
  const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
  if (plain && (left || event->key() == Qt::Key_Right) && foldByKey(left)) return event->accept();
  QTableView::keyPressEvent(event);
}

// Left on a process without unfolded children goes to its parent.
bool TableView::foldByKey(bool fold) {
  const QModelIndex index = currentIndex();
  if (!index.isValid() || !m_rows.tree()) return false;
  const ProcessEntry& entry = m_rows.entry(index);
  if (entry.folds && entry.folded != fold) m_rows.fold(entry.key, fold);
  else if (fold && entry.above)
    if (const QModelIndex above = m_rows.find(*entry.above, index.column()); above.isValid()) setCurrentIndex(above);
  return true;
}

void TableView::mousePressEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && onTriangle(index, event->position().toPoint().x())) {
    const ProcessEntry& entry = m_rows.entry(index);
    m_rows.fold(entry.key, !entry.folded);
    return event->accept();
  }
  QTableView::mousePressEvent(event);
}

// `x` is on the triangle or the indent before it.
bool TableView::onTriangle(const QModelIndex& index, int x) const {
  if (!index.isValid() || index.column() != columnIndex(Column::Process) || !m_rows.entry(index).folds) return false;
  const int before = fontMetrics().horizontalAdvance(treePrefix(m_rows.entry(index)));
  return x - visualRect(index).left() <= before + fontMetrics().averageCharWidth();
}

}  // namespace faultline

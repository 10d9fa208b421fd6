// Keys and the context menu of the table.
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>

#include "app/tray/processes/filter.h"
#include "app/tray/table/filter_line.h"
#include "app/tray/table/header.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/table/table.h"
#include "app/tray/table/view.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

bool isEnter(const QKeyEvent& event) {
  return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

}  // namespace

void ProcessTable::fillMenu(QMenu& menu) {
  m_actions->fillMenu(menu);
  menu.addSeparator();
  m_header->fillMenu(*menu.addMenu(u"C&olumns"_s));
}

void ProcessTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex index =
      byKey ? m_view->currentIndex() : m_view->indexAt(m_view->viewport()->mapFromGlobal(event->globalPos()));
  if (!index.isValid() || m_actions->selected().empty()) return;
  auto* const menu = new QMenu(this);  // on the stack it would be deleted twice if the window closes first
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  fillMenu(*menu);
  const QRect cell = m_view->visualRect(index);
  menu->popup(byKey ? m_view->viewport()->mapToGlobal(cell.bottomLeft()) : event->globalPos());
}

bool ProcessTable::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  if (watched == &m_line->edit() && (key.key() == Qt::Key_Down || isEnter(key))) {
    m_view->setFocus();
    if (m_rows->rowCount() > 0) m_view->selectRow(0);
    return true;
  }
  if (watched == &m_line->edit() && key.key() == Qt::Key_Escape && !m_line->edit().text().isEmpty()) {
    m_line->edit().clear();
    return true;
  }
  if (watched == m_view && (key.key() == Qt::Key_Home || key.key() == Qt::Key_End) && m_rows->rowCount() > 0) {
    m_view->selectRow(key.key() == Qt::Key_Home ? 0 : m_rows->rowCount() - 1);
    return true;
  }
  if (watched == m_view && isEnter(key)) {
    m_actions->pin();
    return true;
  }
  if (watched == m_view && key.matches(QKeySequence::Copy)) {
    m_actions->copyCsv();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace faultline

// What hands do to the table: keys, the context menu, pinning and copying.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <algorithm>

#include "app/tray/processes/filter.h"
#include "app/tray/table/csv.h"
#include "app/tray/table/header.h"
#include "app/tray/table/table.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

bool isEnter(const QKeyEvent& event) {
  return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

}  // namespace

std::vector<ProcessKey> ProcessTable::selectedKeys() const {
  QModelIndexList rows = m_view->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  std::vector<ProcessKey> keys;
  for (const QModelIndex& row : rows) keys.push_back(m_rows->entry(row).key);
  return keys;
}

bool ProcessTable::allPinned(const std::vector<ProcessKey>& keys) const {
  return std::all_of(keys.begin(), keys.end(),
                     [this](const ProcessKey& key) { return m_pins.colour(key).has_value(); });
}

void ProcessTable::pinSelection() {
  const std::vector<ProcessKey> keys = selectedKeys();
  const bool pin = !allPinned(keys);
  for (const ProcessKey& key : keys)
    if (m_pins.colour(key).has_value() != pin) m_pins.toggle(key);
}

void ProcessTable::copySelection() {
  const std::vector<ProcessKey> keys = selectedKeys();
  if (keys.empty()) return;
  QApplication::clipboard()->setText(QString::fromStdString(csvOf(m_monitor, keys, m_model->instant())));
}

void ProcessTable::copyNames() {
  QModelIndexList rows = m_view->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  QStringList names;
  for (const QModelIndex& row : rows) names << m_rows->entry(row).name;
  QApplication::clipboard()->setText(names.join(u'\n'));
}

QString ProcessTable::whyNoFrames(const ProcessEntry& entry) const {
  if (!m_whyNoFrames.isEmpty()) return m_whyNoFrames;
  if (entry.presence == Presence::Ended) return u"The process has ended."_s;
  return m_madeUp ? QString() : QString::fromStdString(whyNotOurs(entry.key.pid));
}

// Greyed with its reason, which is also told in the menu, as keys show no tooltip.
void ProcessTable::addFramesAction(QMenu& menu, const ProcessEntry& entry) {
  const QString why = whyNoFrames(entry);
  QAction* action = menu.addAction(why.isEmpty() ? u"&Watch frames"_s : u"&Watch frames: %1"_s.arg(why), this,
                                   [this, key = entry.key, name = entry.name] { Q_EMIT framesRequested(key, name); });
  action->setEnabled(why.isEmpty());
  action->setToolTip(u"Which frames of this game were late because of page faults, and whose faults they were."_s);
}

// Greyed while nothing is selected, so that a menu tells what there is.
void ProcessTable::fillMenu(QMenu& menu) {
  const std::vector<ProcessKey> keys = selectedKeys();
  const QModelIndex current = m_view->currentIndex();
  const bool chosen = !keys.empty() && current.isValid();
  const auto addForRows = [&](const QString& text, auto what) {
    QAction* action = menu.addAction(text, this, what);
    action->setEnabled(chosen);
    return action;
  };
  addForRows(chosen && allPinned(keys) ? u"&Unpin\tEnter"_s : u"&Pin\tEnter"_s, [this] { pinSelection(); });
  const ProcessKey key = chosen ? m_rows->entry(current).key : ProcessKey{};
  addForRows(u"&Follow only this"_s, [this, key] { Q_EMIT followRequested(key); });
  if (chosen) addFramesAction(menu, m_rows->entry(current));
  else addForRows(u"&Watch frames"_s, [] {});
  menu.addSeparator();
  addForRows(u"&Copy as CSV\tCtrl+C"_s, [this] { copySelection(); });
  addForRows(u"Copy &name"_s, [this] { copyNames(); });
  menu.addSeparator();
  m_header->fillMenu(*menu.addMenu(u"C&olumns"_s));
}

void ProcessTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex index =
      byKey ? m_view->currentIndex() : m_view->indexAt(m_view->viewport()->mapFromGlobal(event->globalPos()));
  if (!index.isValid() || selectedKeys().empty()) return;
  QMenu menu(this);
  menu.setToolTipsVisible(true);
  fillMenu(menu);
  const QRect cell = m_view->visualRect(index);
  menu.exec(byKey ? m_view->viewport()->mapToGlobal(cell.bottomLeft()) : event->globalPos());
}

bool ProcessTable::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  if (watched == m_filter && (key.key() == Qt::Key_Down || isEnter(key))) {
    m_view->setFocus();
    if (m_rows->rowCount() > 0) m_view->selectRow(0);
    return true;
  }
  if (watched == m_filter && key.key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
    m_filter->clear();
    return true;
  }
  if (watched == m_view && isEnter(key)) {
    pinSelection();
    return true;
  }
  if (watched == m_view && key.matches(QKeySequence::Copy)) {
    copySelection();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace faultline

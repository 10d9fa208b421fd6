#include "app/tray/table/row_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTableView>
#include <algorithm>

#include "app/tray/processes/filter.h"
#include "app/tray/table/csv.h"
#include "app/tray/trial/try_dialog.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

QModelIndexList selectedRows(const QTableView& view) {
  QModelIndexList rows = view.selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

RowActions::RowActions(const Monitor& monitor, Pins& pins, const ProcessModel& model, const ProcessFilter& rows,
                       const QTableView& view, QObject* parent)
    : QObject(parent), m_monitor(monitor), m_pins(pins), m_model(model), m_rows(rows), m_view(view) {}

void RowActions::setSource(const QString& whyNoFrames, bool synthetic) {
  m_whyNoFrames = whyNoFrames;
  m_synthetic = synthetic;
}

std::vector<ProcessKey> RowActions::selected() const {
  std::vector<ProcessKey> keys;
  for (const QModelIndex& row : selectedRows(m_view)) keys.push_back(m_rows.entry(row).key);
  return keys;
}

bool RowActions::allPinned(const std::vector<ProcessKey>& keys) const {
  return std::ranges::all_of(keys, [this](const ProcessKey& key) { return m_pins.colour(key).has_value(); });
}

void RowActions::pin() {
  const std::vector<ProcessKey> keys = selected();
  const bool pin = !allPinned(keys);
  for (const ProcessKey& key : keys)
    if (m_pins.colour(key).has_value() != pin) m_pins.toggle(key);
}

void RowActions::copyCsv() const {
  const std::vector<ProcessKey> keys = selected();
  if (keys.empty()) return;
  QApplication::clipboard()->setText(QString::fromStdString(csvOf(m_monitor, keys, m_model.instant())));
}

void RowActions::copyNames() const {
  QStringList names;
  for (const QModelIndex& row : selectedRows(m_view)) names << m_rows.entry(row).name;
  QApplication::clipboard()->setText(names.join(u'\n'));
}

QString RowActions::whyNoFrames(const ProcessEntry& entry) const {
  if (!m_whyNoFrames.isEmpty()) return m_whyNoFrames;
  if (entry.presence == Presence::Ended) return u"The process has ended."_s;
  return m_synthetic ? QString() : QString::fromStdString(whyNotWatchable(entry.key.pid));
}

// The menu's text contains the reason, too, because keys show no tooltip.
void RowActions::addFramesAction(QMenu& menu, const ProcessEntry& entry) {
  const QString why = whyNoFrames(entry);
  QAction* action = menu.addAction(why.isEmpty() ? u"&Watch frames"_s : u"&Watch frames: %1"_s.arg(why), this,
                                   [this, key = entry.key, name = entry.name] { Q_EMIT framesRequested(key, name); });
  action->setEnabled(why.isEmpty());
  action->setToolTip(
      u"Show the frames of this game that page faults made late, and the code that caused the faults."_s);
}

bool RowActions::mayTry(const ProcessKey& key) const {
  const ProcessRow* const row = m_monitor.shown().find(key);
  return row != nullptr && !row->exited && m_whyNoFrames.isEmpty() && !m_synthetic && !commandOf(key.pid).empty();
}

void RowActions::tryRemedies(const ProcessKey& key) const {
  auto* dialog = new TryDialog(commandOf(key.pid), m_view.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void RowActions::fillMenu(QMenu& menu) {
  const std::vector<ProcessKey> keys = selected();
  const QModelIndex current = m_view.currentIndex();
  const bool chosen = !keys.empty() && current.isValid();
  const auto addForRows = [&](const QString& text, auto what) { menu.addAction(text, this, what)->setEnabled(chosen); };
  addForRows(chosen && allPinned(keys) ? u"&Unpin\tEnter"_s : u"&Pin\tEnter"_s, [this] { pin(); });
  const ProcessKey key = chosen ? m_rows.entry(current).key : ProcessKey{};
  addForRows(u"&Follow only this"_s, [this, key] { Q_EMIT followRequested(key); });
  if (chosen) addFramesAction(menu, m_rows.entry(current));
  else addForRows(u"&Watch frames"_s, [] {});
  menu.addAction(u"&Try remedies…"_s, this, [this, key] { tryRemedies(key); })->setEnabled(chosen && mayTry(key));
  menu.addSeparator();
  addForRows(u"&Copy as CSV\tCtrl+C"_s, [this] { copyCsv(); });
  addForRows(u"Copy &name"_s, [this] { copyNames(); });
}

}  // namespace faultline

#include "app/tray/processes/model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/tray/processes/tree.h"
#include "app/tray/processes/values.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr Nanoseconds kActive = std::chrono::seconds(61);               // a minute, and the sparkline's last step
constexpr Nanoseconds kSparklineStep = std::chrono::milliseconds(900);  // a shorter step moves the picture by no pixel

// The values that change the look of a whole row.
struct Style {
  std::optional<std::size_t> colour;
  Presence presence;
  QString name;
  int depth = 0;
  bool folds = false;
  bool folded = false;

  bool operator==(const Style&) const = default;
};

Style styleOf(const ProcessEntry& entry) {
  return {entry.colour, entry.presence, entry.name, entry.depth, entry.folds, entry.folded};
}

}  // namespace

ProcessModel::ProcessModel(const Monitor& monitor, const Pins& pins, QObject* parent)
    : QAbstractTableModel(parent), m_monitor(monitor), m_pins(pins), m_shown(monitor, pins) {
  connect(&pins, &Pins::changed, this, [this] { refresh(); });
}

MonotonicTime ProcessModel::shownTime() const {
  return m_instant.value_or(m_monitor.shown().time);
}

void ProcessModel::refresh() {
  const MonotonicTime time = shownTime();
  const Nanoseconds passed = m_lastTime ? std::max(Nanoseconds{0}, time - *m_lastTime) : Nanoseconds::max();
  m_weight = m_instant || m_replay ? 1 : averageWeight(passed);
  m_lastTime = time;
  m_sparklinesDue = !m_sparklined || time < *m_sparklined || time - *m_sparklined >= kSparklineStep;
  if (m_sparklinesDue) m_sparklined = time;
  if (!m_instant) m_shown.addEnded(m_entries);
  updateRows();
  updateAll(true);
}

void ProcessModel::showInstant(std::optional<MonotonicTime> instant) {
  if (instant == m_instant) return;
  m_instant = instant;
  m_weight = 1;
  m_lastTime = shownTime();
  m_shown.forgetEnded();
  updateRows();
  updateAll(false);
}

void ProcessModel::settle() {
  for (std::size_t row = 0; row < m_entries.size(); ++row) {
    ProcessEntry& entry = m_entries[row];
    const ProcessEntry::Numbers before = std::exchange(entry.settled, entry.calm);
    if (m_instant) continue;
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (before[c] != entry.settled[c]) announce(row, c, c);
  }
}

void ProcessModel::updateRows() {
  m_shown.update(m_instant);
  removeGone();
  insertNew();
}

void ProcessModel::removeGone() {
  const auto gone = [this](const ProcessEntry& entry) { return !m_shown.has(entry.key); };
  for (auto end = m_entries.end(); end != m_entries.begin();) {
    auto begin = end;
    while (begin != m_entries.begin() && gone(*std::prev(begin))) --begin;
    if (begin == end) {
      --end;
      continue;
    }
    beginRemoveRows({}, static_cast<int>(begin - m_entries.begin()), static_cast<int>(end - m_entries.begin()) - 1);
    end = m_entries.erase(begin, end);
    endRemoveRows();
  }
}

void ProcessModel::insertNew() {
  const std::vector<ProcessKey>& keys = m_shown.keys();
  std::size_t row = 0;
  std::vector<ProcessEntry> born;
  for (auto key = keys.begin(); key != keys.end(); ++row) {
    for (; key != keys.end() && (row == m_entries.size() || *key != m_entries[row].key); ++key) {
      ProcessEntry& entry = born.emplace_back();
      entry.key = *key;
      entry.colour = m_pins.colour(*key);
      fill(entry);
      average(entry, m_weight);
      entry.settled = entry.calm;
    }
    if (!born.empty()) {
      beginInsertRows({}, static_cast<int>(row), static_cast<int>(row + born.size()) - 1);
      m_entries.insert(m_entries.begin() + static_cast<std::ptrdiff_t>(row), std::make_move_iterator(born.begin()),
                       std::make_move_iterator(born.end()));
      row += born.size();
      born.clear();
      endInsertRows();
    }
    if (key != keys.end()) ++key;
  }
}

// For one changed cell a view repaints that cell; for a larger range it repaints everything.
void ProcessModel::updateAll(bool announceEach) {
  struct Before {
    ProcessEntry::Numbers values;
    Style style;
    bool active = false;
  };
  std::vector<Before> before;
  before.reserve(m_entries.size());
  for (ProcessEntry& entry : m_entries) {
    before.push_back({entry.values, styleOf(entry), entry.active});
    entry.colour = m_pins.colour(entry.key);
    fill(entry);
  }
  if (m_tree == Tree::Families) sumFamilies(m_entries, m_monitor, m_instant.has_value());
  if (m_tree == Tree::Services) {
    placeInServices(m_entries);
    sumServices(m_entries, m_monitor, m_instant.has_value());
  }
  if (m_tree != Tree::Flat) markFolds(m_entries, m_folded);
  for (std::size_t row = 0; row < m_entries.size(); ++row) {
    ProcessEntry& entry = m_entries[row];
    average(entry, m_weight);
    if (!announceEach) continue;
    const bool moved = entry.active != before[row].active || (entry.active && m_sparklinesDue);
    if (styleOf(entry) != before[row].style) announce(row, 0, kColumnCount - 1);
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if ((m_instant && before[row].values[c] != entry.values[c]) || (c == at(Column::LastMinute) && moved))
        announce(row, c, c);
  }
  if (!announceEach && !m_entries.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ProcessModel::announce(std::size_t row, std::size_t firstColumn, std::size_t lastColumn) {
  const int line = static_cast<int>(row);
  Q_EMIT dataChanged(index(line, static_cast<int>(firstColumn)), index(line, static_cast<int>(lastColumn)));
}

void ProcessModel::fill(ProcessEntry& entry) const {
  const ProcessRow* row = m_monitor.shown().find(entry.key);
  if (m_instant) {
    fillFromHistory(entry, m_monitor.history(), *m_instant);
    entry.presence = m_shown.runs(entry.key) ? Presence::Running : Presence::NotThen;
  } else if (row) {
    fillFromNow(entry, *row, m_monitor);
    if (row->name != entry.rawName) rename(entry, row->name);
    if (row->service != entry.rawService) setService(entry, row->service);
    nameParent(entry, *row, m_monitor);
  } else {
    fillEnded(entry);
  }
  if (entry.name.isEmpty()) {
    rename(entry, m_shown.nameOf(entry.key).value_or(std::string()));
    setService(entry, m_monitor.history().service(entry.key));
  }
  entry.above.reset();
  entry.depth = 0;
  entry.inTree = entry.leads = entry.folds = entry.folded = false;
  if (m_tree == Tree::Families) placeInTree(entry, m_shown.keys(), m_monitor);
  entry.active = m_instant ? entry.values[at(Column::MinorRate)].value_or(0) > 0
                           : shownTime() - entry.lastFault < kActive && entry.lastFault > MonotonicTime{};
}

// After a new name the process may run another program.
void ProcessModel::rename(ProcessEntry& entry, const std::string& rawName) const {
  entry.rawName = rawName;
  entry.name = QString::fromStdString(printableName(rawName));
  m_identities.ask(entry);
}

void ProcessModel::setHere(bool here) {
  if (!m_identities.setHere(here)) return;
  for (ProcessEntry& entry : m_entries) m_identities.ask(entry);
}

void ProcessModel::setTree(Tree tree) {
  if (std::exchange(m_tree, tree) == tree) return;
  m_weight = 1;
  updateAll(false);
  settle();
}

void ProcessModel::fold(const ProcessKey& key, bool folded) {
  if (folded) m_folded.insert(key);
  else m_folded.erase(key);
  updateAll(true);
}

const ProcessEntry* ProcessModel::find(const ProcessKey& key) const {
  const auto it = std::ranges::lower_bound(m_entries, key, {}, &ProcessEntry::key);
  return it != m_entries.end() && it->key == key ? &*it : nullptr;
}

std::size_t ProcessModel::endedCount() const {
  return static_cast<std::size_t>(std::ranges::count(m_entries, Presence::Ended, &ProcessEntry::presence));
}

int ProcessModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int ProcessModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumnCount);
}

QVariant ProcessModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ProcessEntry& e = entry(index.row());
  const auto column = static_cast<Column>(index.column());
  const CellContext context{m_monitor.hello(), m_instant.has_value()};
  switch (role) {
    case Qt::DisplayRole:
      return cellText(e, column, context);
    case Qt::AccessibleTextRole:
      return cellSpoken(e, column, context);
    case Qt::ToolTipRole:
      return cellToolTip(e, column, context);
    case Qt::TextAlignmentRole:
      return QVariant(columnAlignment(column));
    case KeyRole:
      return QVariant::fromValue(e.key);
    case DimRole:
      return cellIsDim(e, column, context);
    case ColourRole:
      return e.colour ? QVariant(static_cast<int>(*e.colour)) : QVariant();
    default:
      return {};
  }
}

QVariant ProcessModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  return columnHeader(static_cast<Column>(section), role);
}

}  // namespace faultline

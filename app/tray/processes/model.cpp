#include "app/tray/processes/model.h"

#include <algorithm>
#include <cmath>

#include "app/tray/processes/tree.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr Nanoseconds kCalm = std::chrono::seconds(5);     // time constant of the rates that rows are sorted by
constexpr Nanoseconds kActive = std::chrono::seconds(61);  // a minute, and the sparkline's last step
constexpr Nanoseconds kSparklineStep = std::chrono::milliseconds(900);  // in less its picture moves by no pixel
constexpr double kIdleRate = 0.05;  // a moving average below it is zero: idle rows tie

template <class T>
std::optional<double> number(const std::optional<T>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// Two rates within a quarter of each other do not change places by themselves.
bool differMuch(const std::optional<double>& settled, const std::optional<double>& calm, Column column) {
  if (columnInfo(column).kind != ColumnKind::Rate || !settled || !calm) return true;
  return std::abs(*settled - *calm) > 0.25 * std::max(*settled, *calm);
}

// What changes the look of a whole row.
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
    : QAbstractTableModel(parent), m_monitor(monitor), m_pins(pins) {
  connect(&pins, &Pins::changed, this, [this] { refresh(); });
}

MonotonicTime ProcessModel::shownTime() const {
  return m_instant.value_or(m_monitor.now().time);
}

void ProcessModel::refresh() {
  const MonotonicTime time = shownTime();
  const Nanoseconds passed = m_lastTime ? std::max(Nanoseconds{0}, time - *m_lastTime) : Nanoseconds::max();
  m_weight = m_instant ? 1 : 1 - std::exp(-std::chrono::duration<double>(passed) / kCalm);
  m_lastTime = time;
  m_sparklinesDue = !m_sparklined || time < *m_sparklined || time - *m_sparklined >= kSparklineStep;
  if (m_sparklinesDue) m_sparklined = time;
  collectEnded();
  collectKeys();
  removeGone();
  insertNew();
  updateAll(true);
}

void ProcessModel::showInstant(std::optional<MonotonicTime> instant) {
  if (instant == m_instant) return;
  m_instant = instant;
  m_weight = 1;
  m_lastTime = shownTime();
  m_ended.clear();
  collectKeys();
  removeGone();
  insertNew();
  updateAll(false);
}

void ProcessModel::settle(Settling settling) {
  for (ProcessEntry& entry : m_entries)
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (settling == Settling::Exact || differMuch(entry.settled[c], entry.calm[c], static_cast<Column>(c)))
        entry.settled[c] = entry.calm[c];
}

// A view repaints one cell for a signal about one cell, and everything for any other: so cells are announced singly,
// until so many changed that everything is cheaper.
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
  if (m_tree) {
    sumFamilies(m_entries, m_monitor, m_instant.has_value());
    markFolds(m_entries, m_folded);
  }
  for (std::size_t row = 0; row < m_entries.size(); ++row) {
    ProcessEntry& entry = m_entries[row];
    calm(entry);
    if (!announceEach) continue;
    const bool moved = entry.active != before[row].active || (entry.active && m_sparklinesDue);
    if (styleOf(entry) != before[row].style) announce(row, 0, kColumnCount - 1);
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (before[row].values[c] != entry.values[c] || (c == at(Column::LastMinute) && moved)) announce(row, c, c);
  }
  if (!announceEach && !m_entries.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ProcessModel::announce(std::size_t row, std::size_t firstColumn, std::size_t lastColumn) {
  const int line = static_cast<int>(row);
  Q_EMIT dataChanged(index(line, static_cast<int>(firstColumn)), index(line, static_cast<int>(lastColumn)));
}

void ProcessModel::fill(ProcessEntry& entry) const {
  const ProcessRow* row = m_monitor.now().find(entry.key);
  if (m_instant) fillFromHistory(entry, *m_instant);
  else if (row) fillFromNow(entry, *row);
  else fillEnded(entry);
  if (entry.name.isEmpty()) rename(entry, nameOf(entry.key).value_or(std::string()));
  entry.above.reset();
  entry.depth = 0;
  entry.folds = entry.folded = false;
  if (m_tree) placeInTree(entry, m_keys, m_monitor);
  entry.active = m_instant ? entry.values[at(Column::MinorRate)].value_or(0) > 0
                           : shownTime() - entry.lastFault < kActive && entry.lastFault > MonotonicTime{};
}

// A new name may be another program.
void ProcessModel::rename(ProcessEntry& entry, const std::string& rawName) const {
  entry.rawName = rawName;
  entry.name = QString::fromStdString(printableName(rawName));
  m_identities.ask(entry);
}

void ProcessModel::setHere(bool here) {
  if (!m_identities.setHere(here)) return;
  for (ProcessEntry& entry : m_entries) m_identities.ask(entry);
}

void ProcessModel::setTree(bool tree) {
  if (std::exchange(m_tree, tree) == tree) return;
  m_weight = 1;
  updateAll(false);
  settle(Settling::Exact);
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

// It has faulted, but only while nobody looked: how long that took is not known, which is not zero.
bool ProcessModel::neverTimed(const ProcessValues& values) {
  const std::uint64_t all =
      values.get(ProcessMetric::MinorFaults).value_or(0) + values.get(ProcessMetric::MajorFaults).value_or(0);
  return values.get(ProcessMetric::TimedFaults) == 0U && all > 0;
}

void ProcessModel::fillFromNow(ProcessEntry& entry, const ProcessRow& row) const {
  const Moment& now = m_monitor.now();
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    if (info.kind == ColumnKind::Rate) entry.values[c] = now.perSecond(row.deltas.get(info.metric));
    if (info.kind == ColumnKind::Value) entry.values[c] = number(row.values.get(info.metric));
  }
  if (neverTimed(row.values)) forgetFaultTimes(entry);
  if (row.values.has(ProcessMetric::MinorFaults)) entry.values[at(Column::Peak)] = m_monitor.peak(row.key);
  if (entry.values[at(Column::MinorRate)].value_or(0) > 0) entry.lastFault = now.time;
  if (entry.lastFault > now.time) entry.lastFault = {};  // the stream began anew, earlier
  if (row.name != entry.rawName) rename(entry, row.name);
  nameParent(entry, row, now);
  entry.presence = row.exited ? Presence::Ended : Presence::Running;
  entry.seen = now.time;
  entry.last = entry.values;
}

void ProcessModel::fillFromHistory(ProcessEntry& entry, MonotonicTime time) const {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    entry.values[c] = info.kept() ? number(m_monitor.history().at(entry.key, info.metric, time)) : std::nullopt;
  }
  const bool then = std::binary_search(m_alive.begin(), m_alive.end(), entry.key);
  entry.presence = then ? Presence::Running : Presence::NotThen;
}

void ProcessModel::fillEnded(ProcessEntry& entry) const {
  entry.values = entry.last;
  for (std::size_t c = 0; c < kColumnCount; ++c)
    if (columnInfo(static_cast<Column>(c)).kind == ColumnKind::Rate) entry.values[c].reset();
  entry.presence = Presence::Ended;
}

void ProcessModel::calm(ProcessEntry& entry) const {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const bool rate = columnInfo(static_cast<Column>(c)).kind == ColumnKind::Rate;
    std::optional<double> value = entry.values[c];
    std::optional<double>& calm = entry.calm[c];
    if (rate && calm && entry.presence == Presence::Ended) value = value.value_or(0);  // sinks as if it had gone idle
    if (value && calm && rate) {
      *calm += m_weight * (*value - *calm);
      if (*calm < kIdleRate) *calm = 0;
    } else {
      calm = value;
    }
  }
}

std::optional<std::string> ProcessModel::nameOf(const ProcessKey& key) const {
  if (const ProcessRow* row = m_monitor.now().find(key)) return row->name;
  return m_monitor.history().name(key);
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
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
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
      return cellIsDim(e, column);
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

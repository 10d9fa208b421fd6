// Which processes have a row, and how rows come and go.
#include <algorithm>

#include "app/tray/processes/model.h"

namespace faultline {
namespace {

double rowCost(const ProcessRow& row) {
  const auto total = [&row](ProcessMetric metric) -> std::optional<double> {
    const auto value = row.values.get(metric);
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  };
  return costOf(total(ProcessMetric::FaultTime), total(ProcessMetric::MinorFaults), total(ProcessMetric::MajorFaults));
}

double entryCost(const ProcessEntry& entry) {
  return costOf(entry.last[at(Column::FaultTimeTotal)], entry.last[at(Column::MinorTotal)],
                entry.last[at(Column::MajorTotal)]);
}

}  // namespace

// Who told its final totals, and who was seen alive the last time and is gone.
void ProcessModel::collectEnded() {
  if (m_instant) return;
  const Moment& now = m_monitor.now();
  m_ended.forget(now.time);
  for (const ProcessRow& row : now.rows)
    if (row.exited) m_ended.add(row.key, now.time, rowCost(row));
  for (const ProcessEntry& entry : m_entries) {
    const bool lately = entry.seen <= now.time && now.time - entry.seen <= EndedProcesses::kKept;
    const bool gone = entry.presence == Presence::Running && !now.find(entry.key);
    if (lately && gone) m_ended.add(entry.key, entry.seen, entryCost(entry));
  }
}

// Those alive; and the pinned and the ended ones, as long as anything is known of them.
void ProcessModel::collectKeys() {
  m_alive.clear();
  if (m_instant) m_alive = m_monitor.history().aliveAt(*m_instant);
  else
    for (const ProcessRow& row : m_monitor.now().rows)
      if (!row.exited) m_alive.push_back(row.key);
  std::sort(m_alive.begin(), m_alive.end());
  std::vector<ProcessKey> gone;
  for (const Pin& pin : m_pins.all()) gone.push_back(pin.key);
  m_ended.appendKeys(gone);
  m_keys = m_alive;
  for (const ProcessKey& key : gone)
    if (nameOf(key)) m_keys.push_back(key);
  std::sort(m_keys.begin(), m_keys.end());
  m_keys.erase(std::unique(m_keys.begin(), m_keys.end()), m_keys.end());
}

void ProcessModel::removeGone() {
  const auto gone = [this](const ProcessEntry& e) { return !std::binary_search(m_keys.begin(), m_keys.end(), e.key); };
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
  std::size_t row = 0;
  std::vector<ProcessEntry> born;
  for (auto key = m_keys.begin(); key != m_keys.end(); ++row) {
    for (; key != m_keys.end() && (row == m_entries.size() || *key != m_entries[row].key); ++key) {
      ProcessEntry& entry = born.emplace_back();
      entry.key = *key;
      entry.colour = m_pins.colour(*key);
      fill(entry);
      calm(entry);
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
    if (key != m_keys.end()) ++key;
  }
}

}  // namespace faultline

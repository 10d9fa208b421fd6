#include "app/tray/processes/shown_processes.h"

#include <algorithm>

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

void ShownProcesses::addEnded(const std::vector<ProcessEntry>& entries) {
  const Moment& now = m_monitor.shown();
  m_ended.forget(now.time);
  for (const ProcessRow& row : now.rows)
    if (row.exited) m_ended.add(row.key, now.time, rowCost(row));
  for (const ProcessEntry& entry : entries) {
    const bool lately = entry.seen <= now.time && now.time - entry.seen <= EndedProcesses::kKept;
    const bool gone = entry.presence == Presence::Running && !now.find(entry.key);
    if (lately && gone) m_ended.add(entry.key, entry.seen, entryCost(entry));
  }
}

void ShownProcesses::update(std::optional<MonotonicTime> instant) {
  m_running.clear();
  if (instant) m_running = m_monitor.history().aliveAt(*instant);
  else
    for (const ProcessRow& row : m_monitor.shown().rows)
      if (!row.exited) m_running.push_back(row.key);
  std::ranges::sort(m_running);
  std::vector<ProcessKey> others;
  for (const Pin& pin : m_pins.all()) others.push_back(pin.key);
  m_ended.appendKeys(others);
  std::erase_if(others, [this](const ProcessKey& key) { return !nameOf(key); });
  m_keys = m_running;
  m_keys.insert(m_keys.end(), others.begin(), others.end());
  std::ranges::sort(m_keys);
  m_keys.erase(std::unique(m_keys.begin(), m_keys.end()), m_keys.end());
}

bool ShownProcesses::has(const ProcessKey& key) const {
  return std::ranges::binary_search(m_keys, key);
}

bool ShownProcesses::runs(const ProcessKey& key) const {
  return std::ranges::binary_search(m_running, key);
}

std::optional<std::string> ShownProcesses::nameOf(const ProcessKey& key) const {
  if (const ProcessRow* row = m_monitor.shown().find(key)) return row->name;
  return m_monitor.history().name(key);
}

}  // namespace faultline

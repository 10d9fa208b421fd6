#include "core/prometheus/programs.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace faultline {
namespace {

constexpr std::uint64_t kNsPerFault = 1000;   // where no time is known: enough to rank programs
constexpr std::size_t kMostWaiting = 4096;    // names of programs among the others
constexpr std::uint64_t kWorthItsSeries = 2;  // times the cost of the one that gives way: names do not come and go

std::uint64_t costOf(const ProcessDeltas& deltas) {
  const auto faults =
      deltas.get(ProcessMetric::MinorFaults).value_or(0) + deltas.get(ProcessMetric::MajorFaults).value_or(0);
  return deltas.get(ProcessMetric::FaultTime).value_or(faults * kNsPerFault);
}

void addUp(const ProcessRow& row, ProgramTotal& total) {
  total.counted.add(row.deltas);
  total.cost += costOf(row.deltas);
  if (row.exited) return;
  ProcessValues levels = row.values;
  levels.clearAll(kProcessCounters);
  total.levels.add(levels);
  ++total.processes;
}

}  // namespace

ProgramTotal& ProgramTotals::totalOf(const std::string& name) {
  const auto found = m_programs.find(name);
  return found == m_programs.end() ? m_others : found->second;
}

void ProgramTotals::add(const Moment& moment) {
  if (!m_since) m_since = moment.wallTime;
  ++m_moments;
  const auto forget = [](ProgramTotal& total) {
    total.levels = {};
    total.processes = 0;
  };
  for (auto& [name, total] : m_programs) forget(total);
  forget(m_others);
  for (const ProcessRow& row : moment.rows) {
    const std::string& name = m_nameOf(row);
    ProgramTotal& total = totalOf(name);
    addUp(row, total);
    if (&total != &m_others || (m_waiting.size() >= kMostWaiting && !m_waiting.contains(name))) continue;
    m_waiting[name] += costOf(row.deltas);
  }
  if (const auto faults = moment.unattributed()) m_unattributed = m_unattributed.value_or(0) + *faults;
  if (const auto& grown = moment.faultDurations) {
    if (!m_durations) m_durations.emplace();
    m_durations->ns += grown->ns;
    std::ranges::transform(m_durations->faults, grown->faults, m_durations->faults.begin(), std::plus());
  }
  promote();
}

void ProgramTotals::addSpike(const std::string& program) {
  ++totalOf(program).spikes;
}

// The earlier share of a program stays among the others, whose sums never fall.
void ProgramTotals::promote() {
  while (!m_waiting.empty()) {
    const auto byCost = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto dearest = std::ranges::max_element(m_waiting, byCost);
    if (m_programs.size() >= m_most) {
      const auto byTotal = [](const auto& a, const auto& b) { return a.second.cost < b.second.cost; };
      const auto cheapest = std::ranges::min_element(m_programs, byTotal);
      if (cheapest == m_programs.end() || dearest->second <= kWorthItsSeries * cheapest->second.cost) break;
      m_others.counted.add(cheapest->second.counted);
      m_others.spikes += cheapest->second.spikes;
      m_waiting[cheapest->first] = cheapest->second.cost;
      m_programs.erase(cheapest);
    } else if (dearest->second == 0) {
      break;
    }
    m_programs[dearest->first].cost = dearest->second;
    m_waiting.erase(dearest);
  }
  if (m_waiting.size() >= kMostWaiting) m_waiting.clear();
}

}  // namespace faultline

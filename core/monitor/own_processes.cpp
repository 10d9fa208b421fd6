#include "core/monitor/own_processes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/model/fields.h"

namespace faultline {
namespace {

constexpr std::array<std::string_view, 2> kWindow{"faultline", "faultline.exe"};
constexpr std::array<std::string_view, 2> kCommandLine{"faultline-cli", "faultline-cli.exe"};
constexpr std::string_view kCollector = "faultline-colle";  // the kernel keeps fifteen bytes of a name

bool isOneOf(std::span<const std::string_view> names, const ProcessRow& row) {
  return std::ranges::find(names, row.name) != names.end();
}

bool isProgram(const ProcessRow& row) {
  return isOneOf(kWindow, row) || isOneOf(kCommandLine, row) || row.name.starts_with(kCollector);
}

// The process that had the pid when a child with the key began.
const ProcessRow* parentOf(const ProcessRow& child, const Moment& moment) {
  const auto pid = child.values.get(ProcessMetric::ParentPid);
  if (!pid || *pid > UINT32_MAX) return nullptr;
  const ProcessKey latest{static_cast<std::uint32_t>(*pid),
                          child.key.startTime + static_cast<std::uint64_t>(kTick.count())};
  const auto after = std::ranges::upper_bound(moment.rows, latest, {}, &ProcessRow::key);
  return after != moment.rows.begin() && (after - 1)->key.pid == *pid ? &*(after - 1) : nullptr;
}

}  // namespace

void OwnProcesses::find(std::uint32_t collectorPid, const Moment& moment) {
  const auto after = std::ranges::upper_bound(moment.rows, ProcessKey{collectorPid, UINT64_MAX}, {}, &ProcessRow::key);
  if (after == moment.rows.begin() || (after - 1)->key.pid != collectorPid) return;
  const ProcessRow* row = &*(after - 1);
  bool isNew = true;
  for (; row != nullptr && isNew; row = parentOf(*row, moment)) {
    if (row->key.pid != collectorPid && !isProgram(*row)) return;
    m_window = m_window || isOneOf(kWindow, *row);
    isNew = m_keys.insert(row->key).second;
  }
}

// Another collector, or an experiment of the window.
bool OwnProcesses::isStarted(const ProcessRow& row, const Moment& moment) const {
  if (!row.name.starts_with(kCollector) && !(m_window && isOneOf(kCommandLine, row))) return false;
  const ProcessRow* const parent = parentOf(row, moment);
  return parent != nullptr && has(parent->key);
}

void OwnProcesses::leaveOut(const Hello& hello, Moment& moment) {
  moment.own = {};
  if (hello.collectorPid == 0 || hello.source == "synthetic") return;  // invented processes may have any pid
  find(hello.collectorPid, moment);
  for (ProcessRow& row : moment.rows) {
    row.own = has(row.key);
    if (!row.own && isStarted(row, moment)) {
      m_keys.insert(row.key);
      row.own = true;
    } else if (row.own && row.key.pid != hello.collectorPid && !isProgram(row)) {  // has become what it tries
      m_keys.erase(row.key);
      row.own = false;
    }
    if (row.own) moment.own.add(row.deltas);
  }
  for (const ProcessMetric metric : allProcessMetrics())
    if (const auto ours = moment.own.get(metric))
      moment.processTotal.set(metric, moment.processTotal.get(metric).value_or(0) - *ours);
}

}  // namespace faultline

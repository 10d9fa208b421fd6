#include "core/monitor/own_processes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/model/fields.h"

namespace faultline {
namespace {

constexpr std::array<std::string_view, 4> kPrograms{"faultline", "faultline-cli", "faultline.exe", "faultline-cli.exe"};
constexpr std::string_view kCollector = "faultline-colle";  // the kernel keeps fifteen bytes of a name

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
    if (row->key.pid != collectorPid && std::ranges::find(kPrograms, row->name) == kPrograms.end()) return;
    isNew = m_keys.insert(row->key).second;
  }
}

void OwnProcesses::leaveOut(const Hello& hello, Moment& moment) {
  moment.own = {};
  if (hello.collectorPid == 0 || hello.source == "synthetic") return;  // invented processes may have any pid
  find(hello.collectorPid, moment);
  for (ProcessRow& row : moment.rows) {
    if (row.name.starts_with(kCollector) && !has(row.key)) {
      const ProcessRow* const parent = parentOf(row, moment);
      if (parent != nullptr && has(parent->key)) m_keys.insert(row.key);
    }
    row.own = has(row.key);
    if (row.own) moment.own.add(row.deltas);
  }
  for (const ProcessMetric metric : allProcessMetrics())
    if (const auto ours = moment.own.get(metric))
      moment.processTotal.set(metric, moment.processTotal.get(metric).value_or(0) - *ours);
}

}  // namespace faultline

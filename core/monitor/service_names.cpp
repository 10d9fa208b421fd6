#include "core/monitor/service_names.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/history/parent.h"

namespace faultline {
namespace {

constexpr Nanoseconds kSettledAfter = std::chrono::seconds(1);

}  // namespace

std::string ServiceNames::inherited(const ProcessSample& process, const Snapshot& snapshot) const {
  constexpr int kMost = 100;  // no real family is deeper
  const ProcessSample* child = &process;
  for (int i = 0; child != nullptr && i < kMost; ++i) {
    const auto pid = child->values.get(ProcessMetric::ParentPid);
    if (!pid || *pid == child->key.pid || *pid > UINT32_MAX) break;
    for (const auto* list : {&m_now, &m_before}) {
      const auto known = parentIn(*list, *pid, child->key.startTime, &Known::key);
      if (known != list->end() && !known->name.empty()) return known->name;
    }
    const ProcessKey born = std::exchange(child, nullptr)->key;
    for (const auto* list : {&snapshot.processes, &snapshot.exited})
      if (const auto parent = parentIn(*list, *pid, born.startTime, &ProcessSample::key); parent != list->end())
        child = &*parent;
  }
  return {};
}

void ServiceNames::ask(Known& known, const ProcessSample& process, Nanoseconds sinceBoot) {
  const auto read = m_reader(process.key);
  if (!read) return;
  known.asItsParent = *read == kAsItsParent;
  known.name = known.asItsParent ? "" : read->empty() ? kNoService : *read;
  known.settled = sinceBoot - Nanoseconds(static_cast<std::int64_t>(process.key.startTime)) > kSettledAfter;
}

void ServiceNames::operator()(Snapshot& snapshot) {
  const Nanoseconds sinceBoot = snapshot.time.sinceEpoch + snapshot.suspended;
  m_now.clear();
  auto before = m_before.begin();
  for (const ProcessSample& process : snapshot.processes) {
    while (before != m_before.end() && before->key < process.key) ++before;
    const bool isNew = before == m_before.end() || before->key != process.key;
    Known& known = m_now.emplace_back(isNew ? Known{.key = process.key, .name = {}} : std::move(*before++));
    if (!known.settled) ask(known, process, sinceBoot);
  }
  for (std::size_t i = 0; i < m_now.size(); ++i) {
    Known& known = m_now[i];
    ProcessSample& process = snapshot.processes[i];
    if (known.name.empty()) known.name = inherited(process, snapshot);
    if (known.name.empty() && known.asItsParent) known.name = kNoService;
    if (process.service != known.name) process.service = known.name;
  }
  for (ProcessSample& process : snapshot.exited) {
    const auto known = std::ranges::lower_bound(m_before, process.key, {}, &Known::key);
    const bool has = known != m_before.end() && known->key == process.key && !known->name.empty();
    process.service = has ? known->name : inherited(process, snapshot);
  }
  std::swap(m_before, m_now);
}

}  // namespace faultline

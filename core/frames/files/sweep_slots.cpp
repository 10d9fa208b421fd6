#include "core/frames/files/sweep_slots.h"

#include <algorithm>

#include "core/history/rates.h"
#include "core/model/frame_numbers.h"

namespace faultline {
namespace {

// The numbers of a frame that a process has, too.
const std::vector<std::pair<FrameMetric, ProcessMetric>>& sharedNumbers() {
  static const auto numbers = [] {
    std::vector<std::pair<FrameMetric, ProcessMetric>> shared;
    for (const FrameField& row : kFrameFields)
      if (const auto* const of = row.scope == FrameScope::Game ? processField(row) : nullptr)
        shared.emplace_back(row.metric, of->metric);
    return shared;
  }();
  return numbers;
}

}  // namespace

void SweepSlots::add(const Hello& hello) {
  m_hello = hello;
  m_lastTime.reset();
}

void SweepSlots::add(const Snapshot& snapshot) {
  const auto later =
      std::ranges::upper_bound(snapshot.processes, ProcessKey{m_pid, UINT64_MAX}, {}, &ProcessSample::key);
  const bool seen = later != snapshot.processes.begin() && std::prev(later)->key.pid == m_pid;
  if (!seen) {
    m_lastTime.reset();
    return;
  }
  const ProcessSample& now = *std::prev(later);
  if (now.key != m_last.key) {  // another process, possibly with a reused pid
    m_slots.clear();
  } else if (m_lastTime && snapshot.time > *m_lastTime) {
    addSlot(now, *m_lastTime, snapshot.time);
  }
  m_last = now;
  m_lastTime = snapshot.time;
}

void SweepSlots::addSlot(const ProcessSample& now, MonotonicTime from, MonotonicTime to) {
  const auto grown = [&](ProcessMetric metric) -> std::optional<std::uint64_t> {
    const auto before = m_last.values.get(metric);
    const auto after = now.values.get(metric);
    if (!before || !after) return std::nullopt;
    return counterDelta(*before, *after, m_hello.quality(metric).wrapBits);
  };
  if (!grown(ProcessMetric::MinorFaults) || !grown(ProcessMetric::MajorFaults)) return;
  GameFrame slot;
  slot.number = m_slots.size() + 1;
  slot.start = from;
  slot.duration = to - from;
  FrameValues& values = slot.values;
  for (const auto& [metric, of] : sharedNumbers()) {
    const auto& whole = field(metric).whole;
    const std::uint64_t most = whole ? values.get(*whole).value_or(0) : INT64_MAX;
    if (const auto amount = grown(of); amount && *amount <= most) values.set(metric, *amount);
  }
  values.setTimedFaults(values.has(FrameMetric::FaultTime) ? values.get(FrameMetric::TimedFaults) : std::nullopt);
  values.clearIncomplete();
  m_slots.push_back(slot);
}

}  // namespace faultline

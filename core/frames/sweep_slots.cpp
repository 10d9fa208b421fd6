#include "core/frames/sweep_slots.h"

#include <algorithm>

#include "core/history/rates.h"

namespace faultline {

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
  const auto minor = grown(ProcessMetric::MinorFaults);
  const auto major = grown(ProcessMetric::MajorFaults);
  if (!minor || !major) return;
  GameFrame slot;
  slot.number = m_slots.size() + 1;
  slot.start = from;
  slot.duration = to - from;
  FrameValues& values = slot.values;
  values.setFaults(*minor, *major);
  values.set(FrameMetric::ZeroedBytes, grown(ProcessMetric::ZeroedBytes));
  if (const auto spent = grown(ProcessMetric::FaultTime); spent && *spent < INT64_MAX) {
    values.set(FrameMetric::FaultTime, *spent);
    values.setTimedFaults(grown(ProcessMetric::TimedFaults));
    constexpr std::array kParts{std::pair(FrameMetric::FaultTimeOnProcessor, ProcessMetric::FaultTimeOnProcessor),
                                std::pair(FrameMetric::FaultTimeWaiting, ProcessMetric::FaultTimeWaiting),
                                std::pair(FrameMetric::FaultTimeBlocked, ProcessMetric::FaultTimeBlocked)};
    for (const auto& [part, of] : kParts)
      if (const auto time = grown(of); time && *time <= *spent) values.set(part, *time);
    values.clearIncomplete();
  }
  m_slots.push_back(slot);
}

}  // namespace faultline

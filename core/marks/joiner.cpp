#include "core/marks/joiner.h"

#include <algorithm>

namespace faultline {
namespace {

using enum FrameMetric;

bool follows(const FrameMark& mark, const FrameMark& last) {
  return mark.number > last.number && mark.time >= last.time &&
         mark.values.minorFaults() >= last.values.minorFaults() &&
         mark.values.majorFaults() >= last.values.majorFaults();
}

// A thread that is preempted in its mark, behind the end of the frame, has waited in the next one.
std::optional<ThreadTime> within(Nanoseconds room, std::optional<ThreadTime> time) {
  if (!time) return time;
  Nanoseconds beyond = std::max(time->faults() + time->waiting + time->sleeping - room, Nanoseconds(0));
  for (Nanoseconds* const part : {&time->waiting, &time->sleeping}) {
    const Nanoseconds cut = std::min(beyond, *part);
    *part -= cut;
    beyond -= cut;
  }
  return beyond.count() == 0 ? time : std::nullopt;
}

FrameValues grown(const FrameMark& mark, const FrameMark& last) {
  FrameValues values;
  const auto add = [&](const FrameField& row) {
    values.clear(row.metric);
    const auto now = mark.values.get(row.metric);
    const auto before = last.values.get(row.metric);
    if (row.label) return values.set(row.metric, now);
    if (!now || !before || *now < *before) return;
    const std::uint64_t amount = *now - *before;
    if (!row.whole || amount <= values.get(*row.whole)) values.set(row.metric, amount);
  };
  for (const FrameField& row : kFrameFields)
    if (row.scope == FrameScope::Game) add(row);
  if (mark.thread == 0 || mark.thread != last.thread) return values;
  for (const FrameField& row : kFrameFields)
    if (row.scope == FrameScope::Thread) add(row);
  return values;
}

GameFrame between(const FrameMark& last, const FrameMark& mark) {
  GameFrame frame{.number = mark.number,
                  .start = last.time,
                  .duration = mark.time - last.time,
                  .thread = mark.thread,
                  .values = grown(mark, last)};
  FrameValues& values = frame.values;
  values.setTimedFaults(values.has(FaultTime) ? values.get(TimedFaults) : std::nullopt);
  if (const auto own = values.time(ThreadTeardownTime)) values.set(ThreadTeardownTime, std::min(*own, frame.duration));
  const Nanoseconds room = frame.duration - values.time(ThreadTeardownTime).value_or(Nanoseconds(0));
  values.setThreadTime(within(room, values.threadTime()));
  if (const auto delay = values.delay(); delay && delay->pair == 0) values.setDelay(std::nullopt);
  values.clearIncomplete();
  return frame;
}

}  // namespace

std::optional<GameFrame> MarkJoiner::add(const FrameMark& mark, MonotonicTime now) {
  if (mark.time < MonotonicTime{} || mark.time > now || (m_last && !follows(mark, *m_last))) {
    ++m_invalidMarks;
    m_last.reset();  // the previous mark may be the invalid one
    return std::nullopt;
  }
  const std::optional<FrameMark> last = m_last;
  m_last = mark;
  if (!last) return std::nullopt;
  m_lost += mark.number - last->number - 1;
  if (mark.number != last->number + 1) {
    ++m_lost;  // the beginning of this frame is unknown
    return std::nullopt;
  }
  return between(*last, mark);
}

std::optional<std::uint64_t> MarkJoiner::faultsAfter(std::uint64_t minorFaults, std::uint64_t majorFaults) const {
  if (!m_last || minorFaults < m_last->values.minorFaults() || majorFaults < m_last->values.majorFaults())
    return std::nullopt;
  return minorFaults - m_last->values.minorFaults() +
         (majorFaults - m_last->values.majorFaults().value_or(majorFaults));
}

}  // namespace faultline

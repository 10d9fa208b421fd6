#include "core/marks/joiner.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

using enum FrameMetric;

bool follows(const FrameMark& mark, const FrameMark& last) {
  return mark.number > last.number && mark.time >= last.time &&
         mark.values.minorFaults() >= last.values.minorFaults() &&
         mark.values.majorFaults() >= last.values.majorFaults();
}

// A thread that is preempted in its mark, behind the end of the frame, has waited in the next one.
std::optional<ThreadTime> within(Nanoseconds room, ThreadTime time) {
  Nanoseconds beyond = std::max(time.faults() + time.waiting + time.sleeping - room, Nanoseconds(0));
  for (Nanoseconds* const part : {&time.waiting, &time.sleeping}) {
    const Nanoseconds cut = std::min(beyond, *part);
    *part -= cut;
    beyond -= cut;
  }
  return beyond.count() == 0 ? std::optional(time) : std::nullopt;
}

// All parts with their wholes, each after its own whole, if that is a part.
struct FramePart {
  FrameMetric metric;
  FrameMetric whole;
};
constexpr std::size_t kFramePartCount =
    std::ranges::count_if(kFrameFields, [](const FrameField& row) { return row.whole.has_value(); });
constexpr auto kFrameParts = [] {
  std::array<FramePart, kFramePartCount> parts{};
  std::size_t count = 0;
  for (const FrameScope scope : {FrameScope::Game, FrameScope::Thread})
    for (const FrameField& row : kFrameFields)
      if (row.whole && row.scope == scope) parts.at(count++) = {row.metric, *row.whole};
  return parts;
}();

FrameValues grown(const FrameMark& mark, const FrameMark& last) {
  constexpr auto kOfThread = frameMetricsThat([](const FrameField& row) { return row.scope == FrameScope::Thread; });
  constexpr auto kLabels = frameMetricsThat([](const FrameField& row) { return row.label; });
  const bool sameThread = mark.thread != 0 && mark.thread == last.thread;
  FrameValues values = mark.values;
  values.clearAll(~last.values.present() & ~kLabels);
  if (!sameThread) values.clearAll(kOfThread);
  forEachMetric<FrameMetric>(values.present() & ~kLabels, [&](FrameMetric metric) {
    const std::uint64_t now = *values.get(metric);
    const std::uint64_t before = *last.values.get(metric);
    if (now >= before) values.set(metric, now - before);
    else values.clear(metric);
  });
  return values;
}

void clearBeyondWhole(FrameValues& values) {
  for (const FramePart& part : kFrameParts)
    if (values.has(part.metric) && (!values.has(part.whole) || values.get(part.metric) > values.get(part.whole)))
      values.clear(part.metric);
}

GameFrame between(const FrameMark& last, const FrameMark& mark) {
  GameFrame frame{.number = mark.number,
                  .start = last.time,
                  .duration = mark.time - last.time,
                  .thread = mark.thread,
                  .values = grown(mark, last)};
  FrameValues& values = frame.values;
  if (values.has(TimedFaults)) values.setTimedFaults(values.has(FaultTime) ? values.get(TimedFaults) : std::nullopt);
  if (const auto own = values.time(ThreadTeardownTime)) values.set(ThreadTeardownTime, std::min(*own, frame.duration));
  const Nanoseconds room = frame.duration - values.time(ThreadTeardownTime).value_or(Nanoseconds(0));
  if (const auto time = values.threadTime()) values.setThreadTime(within(room, *time));
  if (const auto delay = values.delay(); delay && delay->pair == 0) values.setDelay(std::nullopt);
  values.clearIncomplete();
  clearBeyondWhole(values);
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

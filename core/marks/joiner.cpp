#include "core/marks/joiner.h"

#include <algorithm>

namespace faultline {
namespace {

bool follows(const FrameMark& mark, const FrameMark& last) {
  return mark.number > last.number && mark.time >= last.time && mark.minorFaults >= last.minorFaults &&
         mark.majorFaults >= last.majorFaults;
}

std::optional<std::uint64_t> grown(std::uint64_t now, std::uint64_t before, std::uint64_t most) {
  return now >= before && now - before <= most ? std::optional(now - before) : std::nullopt;
}

template <class Amount>
std::optional<Amount> grown(const std::optional<Amount>& now, const std::optional<Amount>& before) {
  return now && before && *now >= *before ? std::optional(*now - *before) : std::nullopt;
}

// A part of `whole`; absent if `whole` is.
template <class Amount>
std::optional<Amount> grownPart(const std::optional<Amount>& now, const std::optional<Amount>& before,
                                const std::optional<Amount>& whole) {
  const auto part = grown(now, before);
  return part && whole && *part <= *whole ? part : std::nullopt;
}

std::optional<FaultTimeParts> grownParts(const std::optional<FaultTimeParts>& now,
                                         const std::optional<FaultTimeParts>& before) {
  if (!now || !before) return std::nullopt;
  const FaultTimeParts parts{.onProcessor = now->onProcessor - before->onProcessor,
                             .waiting = now->waiting - before->waiting,
                             .blocked = now->blocked - before->blocked};
  return std::min({parts.onProcessor, parts.waiting, parts.blocked}).count() >= 0 ? std::optional(parts) : std::nullopt;
}

std::optional<ThreadTime> grownTime(const std::optional<ThreadTime>& now, const std::optional<ThreadTime>& before) {
  if (!now || !before) return std::nullopt;
  const auto inFaults = grownParts(now->inFaults, before->inFaults);
  if (!inFaults || now->waiting < before->waiting || now->sleeping < before->sleeping) return std::nullopt;
  return ThreadTime{*inFaults, now->waiting - before->waiting, now->sleeping - before->sleeping};
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

std::optional<FrameDelay> grownDelay(const FrameMark& now, const FrameMark& before) {
  if (!now.delay || !before.delay || now.delay->pair == 0) return std::nullopt;
  const auto added = grown(std::optional(now.delay->added), std::optional(before.delay->added));
  if (!added) return std::nullopt;
  FrameDelay delay{.added = *added, .pair = now.delay->pair, .delayed = now.delay->delayed};
  if (now.thread == 0 || now.thread != before.thread) return delay;
  delay.ownAdded = grownPart(now.delay->ownAdded, before.delay->ownAdded, added);
  delay.ownAwaited = grown(now.delay->ownAwaited, before.delay->ownAwaited);
  return delay;
}

GameFrame between(const FrameMark& last, const FrameMark& mark) {
  GameFrame frame;
  frame.number = mark.number;
  frame.start = last.time;
  frame.duration = mark.time - last.time;
  frame.thread = mark.thread;
  frame.minorFaults = mark.minorFaults - last.minorFaults;
  frame.majorFaults = grown(mark.majorFaults, last.majorFaults);
  frame.zeroedBytes = grown(mark.zeroedBytes, last.zeroedBytes);
  frame.faultTime = grown(mark.faultTime, last.faultTime);
  if (frame.faultTime) frame.setTimedFaults(grown(mark.timedFaults, last.timedFaults));
  frame.faultParts = grownParts(mark.faultParts, last.faultParts);
  frame.teardown = grown(mark.teardown, last.teardown);
  frame.delay = grownDelay(mark, last);
  if (mark.thread == 0 || mark.thread != last.thread) return frame;
  frame.ownMinorFaults = grown(mark.ownMinorFaults, last.ownMinorFaults, frame.minorFaults);
  if (frame.majorFaults) frame.ownMajorFaults = grown(mark.ownMajorFaults, last.ownMajorFaults, *frame.majorFaults);
  frame.ownZeroedBytes = grownPart(mark.ownZeroedBytes, last.ownZeroedBytes, frame.zeroedBytes);
  frame.ownFaultTime = grownPart(mark.ownFaultTime, last.ownFaultTime, frame.faultTime);
  frame.ownTeardown = grownPart(mark.ownTeardown, last.ownTeardown, frame.teardown);
  if (frame.ownTeardown) frame.ownTeardown = std::min(*frame.ownTeardown, frame.duration);
  frame.threadTime =
      within(frame.duration - frame.ownTeardown.value_or(Nanoseconds(0)), grownTime(mark.threadTime, last.threadTime));
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
  if (!m_last || minorFaults < m_last->minorFaults || majorFaults < m_last->majorFaults) return std::nullopt;
  return minorFaults - m_last->minorFaults + (majorFaults - m_last->majorFaults.value_or(majorFaults));
}

}  // namespace faultline

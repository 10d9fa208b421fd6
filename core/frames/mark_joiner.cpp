#include "core/frames/mark_joiner.h"

namespace faultline {
namespace {

bool follows(const FrameMark& mark, const FrameMark& last) {
  return mark.number > last.number && mark.time >= last.time && mark.minorFaults >= last.minorFaults &&
         mark.majorFaults >= last.majorFaults;
}

std::optional<std::uint64_t> grown(std::uint64_t now, std::uint64_t before, std::uint64_t most) {
  return now >= before && now - before <= most ? std::optional(now - before) : std::nullopt;
}

GameFrame between(const FrameMark& last, const FrameMark& mark) {
  GameFrame frame;
  frame.number = mark.number;
  frame.start = last.time;
  frame.duration = mark.time - last.time;
  frame.thread = mark.thread;
  frame.minorFaults = mark.minorFaults - last.minorFaults;
  frame.majorFaults = mark.majorFaults - last.majorFaults;
  if (mark.thread != last.thread) return frame;
  frame.ownMinorFaults = grown(mark.ownMinorFaults, last.ownMinorFaults, frame.minorFaults);
  frame.ownMajorFaults = grown(mark.ownMajorFaults, last.ownMajorFaults, frame.majorFaults);
  return frame;
}

}  // namespace

std::optional<GameFrame> MarkJoiner::add(const FrameMark& mark, MonotonicTime now) {
  if (mark.time < MonotonicTime{} || mark.time > now || (m_last && !follows(mark, *m_last))) {
    ++m_nonsense;
    m_last.reset();  // it may have been the one before that was wrong
    return std::nullopt;
  }
  const std::optional<FrameMark> last = m_last;
  m_last = mark;
  if (!last) return std::nullopt;
  m_lost += mark.number - last->number - 1;
  if (mark.number != last->number + 1) {
    ++m_lost;  // this one's beginning is not known
    return std::nullopt;
  }
  return between(*last, mark);
}

}  // namespace faultline

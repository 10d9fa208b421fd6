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

struct InsideMark {
  std::uint64_t minor = 0, major = 0;
};

// By how much the thread's faults since `last` exceed the process's: faults inside the mark, between the readings of
// both counts, such as of a page that a fork has shared. 0 also where the thread has fewer, or more than a mark can
// have.
InsideMark faultsInMark(const FrameMark& mark, const FrameMark& last) {
  constexpr std::uint64_t kMost = 8;  // decided: a mark uses few pages
  if (mark.thread != last.thread) return {};
  const std::uint64_t both = mark.values.present() & last.values.present();
  const auto inside = [&](FrameMetric own, FrameMetric all) {
    if ((~both & (frameBit(own) | frameBit(all))) != 0) return std::uint64_t{0};
    const std::uint64_t process = mark.values.orZero(all) - last.values.orZero(all);
    const std::uint64_t more = mark.values.orZero(own) - last.values.orZero(own) - process;
    return more <= kMost ? more : 0;
  };
  return {inside(ThreadMinorFaults, MinorFaults), inside(ThreadMajorFaults, MajorFaults)};
}

// A mark calls getrusage(), in which the kernel notices that the thread has used up its time slice: beside other
// programs the thread is then stopped between the end of the frame and the program that reads its times. Gives what
// ran meanwhile, as far as it is known.
std::optional<WaitedBehind> takeWaitsInMark(const FrameMark& last, FrameMark& mark) {
  Nanoseconds away = mark.readLater;
  const auto grown = [&](FrameMetric metric) {
    const bool known = mark.values.has(metric) && last.values.has(metric);
    const Nanoseconds now = mark.values.time(metric).value_or(Nanoseconds(0));
    return known ? std::max(now - last.values.time(metric).value_or(now), Nanoseconds(0)) : Nanoseconds(0);
  };
  const auto take = [&](FrameMetric metric, Nanoseconds most) {
    const Nanoseconds taken = std::min(away, most);
    if (taken > Nanoseconds(0)) mark.values.set(metric, *mark.values.time(metric) - taken);
    away -= taken;
    return taken;
  };
  const Nanoseconds waited = take(ThreadWaiting, grown(ThreadWaiting));
  take(ThreadSleeping, std::max(grown(ThreadSleeping) - grown(ThreadAwaiting), Nanoseconds(0)));
  auto behind = mark.values.waitedBehind();
  if (behind) behind->time = std::min(behind->time - grown(ThreadWaiting), waited);
  return behind && behind->time > Nanoseconds(0) ? behind : std::nullopt;
}

// Of the frame that the mark ends; the program that ran longest counts.
void addBehind(const WaitedBehind& more, FrameMark& mark) {
  auto behind = mark.values.waitedBehind();
  if (behind && behind->program == more.program) behind->time += more.time;
  else if (!behind || behind->time < more.time) behind = more;
  mark.values.setWaitedBehind(*behind);
}

std::optional<ThreadTime> within(Nanoseconds room, ThreadTime time) {
  Nanoseconds beyond = std::max(time.faults() + time.waiting + time.sleeping - room, Nanoseconds(0));
  for (Nanoseconds* const part : {&time.waiting, &time.sleeping}) {
    const Nanoseconds cut = std::min(beyond, *part);
    *part -= cut;
    beyond -= cut;
  }
  return beyond.count() == 0 ? std::optional(time) : std::nullopt;
}

constexpr auto kPartMetrics = frameMetricsThat([](const FrameField& row) { return row.whole.has_value(); });
constexpr auto kWholes = [] {
  std::array<FrameMetric, kFrameMetricCount> wholes{};
  for (const FrameField& row : kFrameFields)
    if (row.whole) wholes.at(static_cast<std::size_t>(row.metric)) = *row.whole;
  return wholes;
}();
// A part of a part has the higher bit.
static_assert(std::ranges::all_of(kFrameFields, [](const FrameField& row) {
  return !row.whole || (kPartMetrics & frameBit(*row.whole)) == 0 || *row.whole < row.metric;
}));

// `values` are as a frame begins with: no faults, and all else unknown.
void setGrown(const FrameMark& mark, const FrameMark& last, FrameValues& values) {
  constexpr auto kOfThread = frameMetricsThat([](const FrameField& row) { return row.scope == FrameScope::Thread; });
  constexpr auto kLabels = frameMetricsThat([](const FrameField& row) { return row.label; });
  std::uint64_t known = mark.values.present() & (last.values.present() | kLabels);
  if (mark.thread == 0 || mark.thread != last.thread) known &= ~kOfThread;
  values.clearAll(~known);
  forEachMetric<FrameMetric>(known & kLabels, [&](FrameMetric label) { values.set(label, mark.values.orZero(label)); });
  values.setGrowth(known & ~kLabels, last.values, mark.values);
}

void clearBeyondWhole(FrameValues& values) {
  forEachMetric<FrameMetric>(values.present() & kPartMetrics, [&](FrameMetric part) {
    const FrameMetric whole = kWholes.at(static_cast<std::size_t>(part));
    if (!values.has(whole) || values.get(part) > values.get(whole)) values.clear(part);
  });
}

// Into `frame`, because a frame is large.
void setBetween(const FrameMark& last, const FrameMark& mark, GameFrame& frame) {
  frame.number = mark.number;
  frame.start = last.time;
  frame.duration = mark.time - last.time;
  frame.thread = mark.thread;
  FrameValues& values = frame.values;
  setGrown(mark, last, values);
  if (values.has(TimedFaults)) values.setTimedFaults(values.has(FaultTime) ? values.get(TimedFaults) : std::nullopt);
  if (const auto own = values.time(ThreadTeardownTime)) values.set(ThreadTeardownTime, std::min(*own, frame.duration));
  const Nanoseconds room = frame.duration - values.time(ThreadTeardownTime).value_or(Nanoseconds(0));
  auto time = values.threadTime();
  if (time) values.setThreadTime(time = within(room, *time));
  if (const auto behind = values.time(ThreadWaitingBehind))
    values.set(ThreadWaitingBehind, time ? std::min(*behind, time->waiting + time->inFaults.waiting) : Nanoseconds(0));
  if (const auto delay = values.delay(); delay && delay->pair == 0) values.setDelay(std::nullopt);
  values.clearIncomplete();
  clearBeyondWhole(values);
}

}  // namespace

std::optional<GameFrame> MarkJoiner::add(const FrameMark& mark, MonotonicTime now) {
  if (mark.time < MonotonicTime{} || mark.time > now || (m_last && !follows(mark, *m_last))) {
    ++m_invalidMarks;
    m_last.reset();  // the previous mark may be the invalid one
    return std::nullopt;
  }
  if (!m_last) m_behind.reset();
  const auto outside = m_last ? withoutInside(mark) : std::nullopt;
  return join(outside ? *outside : mark);
}

// As if the mark had been read at its time; absent if nothing happened inside this one and the last.
std::optional<FrameMark> MarkJoiner::withoutInside(const FrameMark& mark) {
  constexpr Nanoseconds kRun = std::chrono::microseconds(50);  // a thread that is not stopped needs 1 to 4 us
  const auto [minor, major] = faultsInMark(mark, *m_last);
  const bool stopped = mark.readLater > kRun && mark.thread == m_last->thread;
  if (minor + major == 0 && !stopped && !m_behind) return std::nullopt;
  FrameMark outside = mark;
  if (minor > 0) outside.values.set(ThreadMinorFaults, mark.values.orZero(ThreadMinorFaults) - minor);
  if (major > 0) outside.values.set(ThreadMajorFaults, mark.values.orZero(ThreadMajorFaults) - major);
  if (m_behind) addBehind(*m_behind, outside);
  m_behind.reset();
  if (stopped) m_behind = takeWaitsInMark(*m_last, outside);
  return outside;
}

std::optional<GameFrame> MarkJoiner::join(const FrameMark& mark) {
  std::optional<GameFrame> frame;
  if (m_last) {
    m_lost += mark.number - m_last->number - 1;
    if (mark.number == m_last->number + 1) setBetween(*m_last, mark, frame.emplace());
    else ++m_lost;  // the beginning of this frame is unknown
  }
  m_last = mark;
  return frame;
}

std::optional<std::uint64_t> MarkJoiner::faultsAfter(std::uint64_t minorFaults, std::uint64_t majorFaults) const {
  if (!m_last || minorFaults < m_last->values.minorFaults() || majorFaults < m_last->values.majorFaults())
    return std::nullopt;
  return minorFaults - m_last->values.minorFaults() +
         (majorFaults - m_last->values.majorFaults().value_or(majorFaults));
}

}  // namespace faultline

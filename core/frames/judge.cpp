#include "core/frames/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline {
namespace {

// Decided: frames that show a cadence; a hitch or two at the start sway fewer.
constexpr std::size_t kCadenceFrames = 16;
// Decided: a person waits for the first verdicts as long, and half as long once eight frames are known.
constexpr Nanoseconds kLongestHold = std::chrono::seconds(5);
// Decided: twice the usual duration is seen as a hitch, at any frame rate.
constexpr double kFarLonger = 2;
// Decided: times the usual cost of faults at which a frame gets a mark, though it is in time.
constexpr double kManyMore = 4;
// Decided: the same where faults have no price; as many at 5 us each are notable in the default budget.
constexpr double kManyFaults = 64;
// Decided: of the usual duration; so much longer is late in a game without a cadence that misses the default budget.
constexpr double kUnpacedTolerance = 0.25;
// Measured: 256 pages populated in advance took seven times the assumed cost in a guest, where new pages leave it.
constexpr double kDearest = 8;
// Measured: ns per byte given back; a busy guest took a quarter of it for 512 MB, with its waits.
constexpr double kDearestFreed = 1;
// Measured: without times of faults, their assumed cost was 0.44 (shared memory) to 1.7 (the page of zeros) of the real
// one.
constexpr double kDearestUntimed = 4;
// Decided: ns that a fault which reads from a disk may take; a disk's arm needs as long to get there.
constexpr double kSlowestDisk = 10e6;

}  // namespace

FrameVerdict FrameJudge::judge(const GameFrame& frame) {
  const FrameLedger spent = ledgerOf(frame, m_rules.nsPerFault);
  const FrameVerdict verdict = verdictOf(frame, spent);
  remember(frame, spent, verdict);
  return verdict;
}

bool FrameJudge::knowsUsual() const {
  if (!m_rules.timesAreMeasured || (m_frames >= Recent::kMinValues && 2 * m_held >= kLongestHold)) return true;
  if (m_rules.sleepIsMeasured && !m_sleeping.usual()) return false;
  return m_frames >= Recent::kKept || (m_frames >= kCadenceFrames && paced());
}

void FrameJudge::take(const GameFrame& frame, const Sink& judged) {
  const FrameVerdict verdict = judge(frame);
  if (m_first.empty() && m_usualIsKnown) return judged({frame, verdict});
  m_first.push_back(frame);
  m_held += std::clamp(frame.duration, Nanoseconds(0), kLongestHold);
  m_usualIsKnown = m_usualIsKnown || knowsUsual();
  if (m_usualIsKnown || m_held >= kLongestHold) finish(judged);
}

void FrameJudge::finish(const Sink& judged) {
  m_held = Nanoseconds(0);
  for (const GameFrame& frame : std::exchange(m_first, {}))
    judged({frame, verdictOf(frame, ledgerOf(frame, m_rules.nsPerFault))});
}

FrameVerdict FrameJudge::verdictOf(const GameFrame& frame, const FrameLedger& spent) const {
  FrameVerdict verdict;
  verdict.faultTime = spent.cost;
  verdict.estimated = verdict.faultTime != frame.time(FrameMetric::FaultTime);
  const double budget = inNs(m_rules.budget);
  if (verdict.faultTime) {
    const double cost = spent.faultTime();
    verdict.costly =
        cost > m_rules.faultShare * budget || m_faultTimes.standsOut(cost, kManyMore, kNotableShare * budget);
  } else {
    verdict.costly = m_faultCounts.standsOut(static_cast<double>(frame.faults()), kManyMore, kManyFaults);
  }
  if ((verdict.faultTime || spent.measured) && !spent.ownUnknown)
    verdict.pathTime = Nanoseconds(std::llround(spent.memory()));
  judgeTime(spent, verdict);
  return verdict;
}

std::optional<UsualFrame> FrameJudge::usual() const {
  const auto memory = m_memory.usual();
  if (!memory) return std::nullopt;
  const Deadline deadline = this->deadline();
  return UsualFrame{.memory = Nanoseconds(std::llround(*memory)),
                    .left = Nanoseconds(std::llround(deadline.at - *usualBusy(deadline)))};
}

void FrameJudge::remember(const GameFrame& frame, const FrameLedger& spent, const FrameVerdict& verdict) {
  ++m_frames;
  m_durations.add(spent.lasted);
  m_faultCounts.add(static_cast<double>(frame.faults()));
  if (verdict.faultTime) m_faultTimes.add(spent.faultTime());
  m_untimedMajors.add(spent.untimedMajors);
  m_ofOthers.add(spent.ofOthers);
  // Frames without their thread's times, such as the first ones, are not like those with them.
  if (!spent.measured && !m_sleeping.empty()) return;
  if (spent.measured && m_sleeping.empty())
    m_faults = m_teardown = m_unseen = m_memory = m_busy = m_busyInTime = Recent();
  m_faults.add(spent.faults);
  m_teardown.add(spent.teardown);
  m_unseen.add(spent.unseen);
  m_memory.add(spent.memory());
  m_busy.add(spent.busy(true));
  if (!verdict.late && verdict.deadline) m_busyInTime.add(spent.busy(true) / inNs(verdict.deadline->after));
  if (!spent.measured) return;
  m_waiting.add(spent.waiting);
  m_sleeping.add(spent.sleeping);
  m_running.add(spent.running);
  m_nobody.add(spent.nobody);
  m_awaiting.add(spent.sleeping - spent.nobody);
}

FrameJudge::Deadline FrameJudge::deadline() const {
  const double budget = inNs(m_rules.budget);
  const bool given = m_rules.budget != kDefaultBudget;
  Deadline deadline{
      .at = budget, .latest = (1 + kNotableShare) * budget, .by = given ? DeadlineBy::Given : DeadlineBy::Default};
  const auto usual = m_durations.usual();
  if (!usual) return deadline;
  const auto cadence = cadenceOf(m_durations, *usual, {m_sleeping.usual(), m_nobody.usual()});
  deadline.paced = cadence.has_value();
  if (given || (!deadline.paced && *usual <= budget)) return deadline;
  deadline.by = deadline.paced ? DeadlineBy::Cadence : DeadlineBy::Usual;
  deadline.at = cadence.value_or(*usual);
  deadline.latest = (1 + (deadline.paced ? kNearShare : kUnpacedTolerance)) * deadline.at;
  return deadline;
}

// Where many frames last twice the usual time, as beside other work on a processor, none of them stands out.
bool FrameJudge::standsOut(double lasted) const {
  const double by = kNearShare * inNs(m_rules.budget);
  return lasted - m_durations.seldomMore() > by && m_durations.standsOut(lasted, kFarLonger, by);
}

void FrameJudge::judgeTime(const FrameLedger& spent, FrameVerdict& verdict) const {
  const Deadline deadline = this->deadline();
  const bool over = spent.lasted > deadline.latest;
  if (!m_rules.timesAreMeasured) return;
  verdict.deadline = {Nanoseconds(std::llround(deadline.at)), deadline.by};
  verdict.late = over || standsOut(spent.lasted);
  if (!verdict.late) return;
  const double due = over ? deadline.at : *m_durations.usual();
  verdict.excess = Nanoseconds(static_cast<std::int64_t>(spent.lasted - due));
  verdict.lateBySampling = lateBySampling(spent, deadline, due, over);
  if (verdict.lateBySampling) return;
  if (verdict.faultTime || spent.measured) blame(spent, deadline, due, over, verdict);
  else verdict.perhapsByFaults = verdict.costly;
  verdict.perhapsByTeardown = !verdict.lateByMemory() && mayBeTeardown(spent, deadline);
}

bool FrameJudge::meets(double busy, const Deadline& deadline, double due, bool over) const {
  if (deadline.paced) return busy <= std::max(due, m_busyInTime.most() * deadline.at);
  return over ? busy <= deadline.latest : !standsOut(busy);
}

bool FrameJudge::lateBySampling(const FrameLedger& spent, const Deadline& deadline, double due, bool over) const {
  const double busy = spent.busy(deadline.paced);
  return meets(busy, deadline, due, over) && !meets(busy + spent.sampling, deadline, due, over);
}

std::optional<double> FrameJudge::usualBusy(const Deadline& deadline) const {
  return (deadline.paced ? m_busy : m_durations).usual();
}

// Usual frames are late because of their time for memory: then all of it counts, else what exceeds the usual.
FrameJudge::Extra FrameJudge::extraOf(const FrameLedger& spent, const Deadline& deadline) const {
  const auto usual = usualBusy(deadline);
  const bool guilty = usual > deadline.latest && *usual - m_memory.usual().value_or(0) <= deadline.latest;
  const auto extra = [&](const Recent& before, double now) { return guilty ? now : before.growth(now); };
  const double faults = extra(m_faults, spent.faults);
  const double teardown = extra(m_teardown, spent.teardown);
  const double memory = faults + teardown;
  const double unseen = extra(m_unseen, spent.unseen);
  const double all = memory + unseen;
  const double ofAwaited = memory > 0 ? all * std::min(spent.awaited / memory, 1.0) : 0;
  const double likely = all + spent.waitsWith(all - ofAwaited, ofAwaited);
  return {.memory = memory, .spent = all, .likely = likely, .mostlyTeardown = teardown > faults};
}

// Of the time in which the thread ran: faults of an assumed cost may take far more.
double FrameJudge::unknownWhileRunning(const FrameLedger& spent, double memory) const {
  const double dearest = spent.timed ? kDearest : kDearestUntimed;
  const double dearer = std::min((dearest - 1) * std::min(spent.estimated, memory), spent.running);
  return dearer + (spent.ownUnknown ? memory : 0);
}

// Of the time in which it slept: faults of others, for which it may have waited, and its own that read from a disk.
double FrameJudge::unknownWhileAsleep(const FrameLedger& spent) const {
  const double others = m_ofOthers.growth(spent.ofOthers);
  const double disk = m_untimedMajors.growth(spent.untimedMajors) * kSlowestDisk;
  return std::min(others + disk, spent.measured ? m_sleeping.growth(spent.sleeping) : spent.lasted);
}

void FrameJudge::blame(const FrameLedger& spent, const Deadline& deadline, double due, bool over,
                       FrameVerdict& verdict) const {
  const double busy = spent.busy(deadline.paced);
  // Sleep ends with the slot: a thread that was busy for less than that was late for its work only if that much has
  // never been in time.
  const bool early = deadline.paced && spent.measured && busy <= due;
  const double longestInTime = m_busyInTime.most() * deadline.at;
  const double asleep = unknownWhileAsleep(spent);
  if (early && busy <= longestInTime) {
    verdict.perhapsByFaults = asleep > kNotableShare * deadline.at && busy + asleep > longestInTime;
    return;
  }
  const auto [memory, all, likely, mostlyTeardown] = extraOf(spent, deadline);
  const double latest = early ? longestInTime : due;
  const bool notable = memory > kNotableShare * deadline.at;
  const auto inTimeWithout = [&](double time) {
    return early ? busy - time <= latest : meets(busy - time, deadline, due, over);
  };
  const auto meetsWithout = [&](double time) { return notable && inTimeWithout(time); };
  // A slot that would have been met without is missed because of nothing else.
  const auto share = [&](double time) {
    return deadline.paced && meetsWithout(time) ? 1 : std::clamp(time / (busy - latest), 0.0, 1.0);
  };
  const bool most = notable && likely >= kMostOfExcess * (busy - usualBusy(deadline).value_or(due));
  const bool blamed = !spent.ownUnknown && share(likely) >= kMostOfExcess && (most || meetsWithout(likely));
  const bool surely = share(memory) >= kMostOfExcess && meetsWithout(memory);
  if (notable || share(likely) < kMostOfExcess) {
    verdict.explained = share(all);
    verdict.withWaits = share(likely);
  }
  verdict.lateByTeardown = blamed && mostlyTeardown;
  verdict.lateByFaults = blamed && !mostlyTeardown;
  verdict.perhapsByWatching = blamed && spent.unseen > 0 && inTimeWithout(spent.unseen);
  verdict.likely = blamed && (!surely || early || !spent.measured || verdict.perhapsByWatching ||
                              spent.estimated > kNotableShare * deadline.at);
  // A thread whose sleep is unknown may have waited for most of a slot, which it missed by less than its faults took.
  const double slot = deadline.paced && !spent.measured ? deadline.at : 0;
  const double dearer = unknownWhileRunning(spent, memory);
  const double doubtful = asleep + (slot > 0 ? memory : dearer);
  verdict.perhapsByFaults =
      !blamed && doubtful > kNotableShare * deadline.at && share(likely + dearer + asleep + slot) >= kMostOfExcess;
  if (verdict.perhapsByFaults && asleep > kNotableShare * deadline.at) verdict.explained.reset();
}

// Of the thread itself, or of those for which it waited or may have; not where hardly any memory was given back.
bool FrameJudge::mayBeTeardown(const FrameLedger& spent, const Deadline& deadline) const {
  if (!spent.measured || spent.teardownKnown) return !spent.teardownKnown;
  const double itself = m_running.growth(spent.running);
  const double ran =
      itself + (spent.pathKnown ? m_awaiting.growth(spent.sleeping - spent.nobody) : m_sleeping.growth(spent.sleeping));
  const double waits = m_waiting.growth(spent.waiting), withThat = std::min(spent.waitsWith(itself), waits);
  const double away = waits - withThat + (deadline.paced || !spent.pathKnown ? 0 : m_nobody.growth(spent.nobody));
  if (spent.freed && *spent.freed * kDearestFreed < kMostOfExcess * ran) return false;
  return ran > kNotableShare * deadline.at && ran + withThat > away;
}

}  // namespace faultline

#include "core/frames/judge.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline {
namespace {

constexpr double kFarLonger = 2;       // times the usual duration, and by at least a tenth of the budget
constexpr double kSeldom = 1.25;       // times the duration that a quarter of the frames exceeds
constexpr double kManyMore = 4;        // times the usual cost of faults, and by at least kNotable of the budget
constexpr double kNotable = 0.02;      // of the budget; a loop that waits for the display varies by less
constexpr double kManyFaults = 64;     // difference in faults if only their number is known
constexpr double kMost = 0.5;          // of the growth, or of the excess
constexpr double kMoreOfOthers = 1.5;  // times the share of time that others are often in faults
constexpr double kGrown = 0.05;        // of the usual duration; of times of unknown threads twice that
constexpr double kUnseen = 0.15;       // of measured faults: entry, return and timing, at least (tests/bench/README.md)

constexpr double kDearest = 8;  // times the assumed cost: seen in guests, where each new page leaves the guest

// A cadence: most frames last about as long as the usual one, or a multiple of that.
constexpr double kAbout = 0.1;
constexpr double kMostFrames = 0.6;
constexpr double kSleeps = 0.05;         // of the usual duration
constexpr double kShortestSlot = 1.5e6;  // ns: no display is that fast
constexpr double kCadenceTolerance = 0.1;
constexpr double kUnpacedTolerance = 0.25;
// Of displays and films, per second.
constexpr std::array kCommonRates{24.0, 25.0, 30.0, 35.0,  40.0,  48.0,  50.0,  60.0,
                                  72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0};
constexpr double kSameRate = 0.02;

double number(Nanoseconds duration) {
  return static_cast<double>(duration.count());
}

bool isCommonRate(double period) {
  const double rate = 1e9 / period;
  return std::ranges::any_of(kCommonRates, [&](double common) { return std::abs(rate - common) < kSameRate * common; });
}

}  // namespace

FrameVerdict FrameJudge::judge(const GameFrame& frame) {
  FrameVerdict verdict;
  verdict.faultTime = costOf(frame);
  verdict.estimated = verdict.faultTime != frame.time(FrameMetric::FaultTime);
  const double budget = number(m_rules.budget);
  if (verdict.faultTime) {
    const double cost = number(*verdict.faultTime);
    verdict.costly = cost > m_rules.faultShare * budget || m_faultTimes.standsOut(cost, kManyMore, kNotable * budget);
  } else {
    verdict.costly = m_faults.standsOut(static_cast<double>(frame.faults()), kManyMore, kManyFaults);
  }
  const Spent spent = spentIn(frame, verdict.faultTime);
  judgeTime(spent, verdict);
  remember(frame, spent, verdict);
  return verdict;
}

void FrameJudge::remember(const GameFrame& frame, const Spent& spent, const FrameVerdict& verdict) {
  m_durations.add(spent.lasted);
  m_faults.add(static_cast<double>(frame.faults()));
  if (verdict.faultTime) m_faultTimes.add(number(*verdict.faultTime));
  m_byMemory.add(spent.byMemory);
  m_ofOthers.add(spent.lasted > 0 ? spent.ofOthers / spent.lasted : 0);
  if (!spent.measured) return;
  m_waiting.add(spent.waiting);
  m_sleeping.add(spent.sleeping);
  m_running.add(spent.running);
}

std::optional<Nanoseconds> FrameJudge::costOf(const GameFrame& frame) const {
  if (!m_rules.nsPerFault) return frame.time(FrameMetric::FaultTime);
  const double lasted = number(frame.duration);
  if (!frame.time(FrameMetric::FaultTime)) {
    const double ofOthers = static_cast<double>(frame.minorFaults()) - ownUntimed(frame);
    const double cost = ownUntimedCost(frame) + std::min(ofOthers * *m_rules.nsPerFault, lasted);
    return Nanoseconds(static_cast<std::int64_t>(cost));
  }
  if (!frame.get(FrameMetric::TimedFaults)) return frame.time(FrameMetric::FaultTime);
  const double ofOthers =
      static_cast<double>(frame.faults() - *frame.get(FrameMetric::TimedFaults)) - ownUntimed(frame);
  const double cost = ownUntimedCost(frame) + std::min(ofOthers * *m_rules.nsPerFault, lasted);
  return *frame.time(FrameMetric::FaultTime) + Nanoseconds(static_cast<std::int64_t>(cost));
}

// The thread's faults that have no measured time, such as those of pages populated in advance, if its other faults are
// as dear as those of all threads. Without times of faults: all of them.
double FrameJudge::ownUntimed(const GameFrame& frame) {
  if (!frame.threadTime() || !frame.get(FrameMetric::ThreadMinorFaults)) return 0;
  if (!frame.time(FrameMetric::FaultTime))
    return static_cast<double>(std::min(*frame.get(FrameMetric::ThreadMinorFaults), frame.minorFaults()));
  if (!frame.get(FrameMetric::TimedFaults)) return 0;
  const double all = number(frame.time(FrameMetric::FaultTime).value_or(Nanoseconds(0)));
  const auto timed = static_cast<double>(*frame.get(FrameMetric::TimedFaults));
  const double ownTimed = all > 0 ? timed * number(frame.threadTime()->faults()) / all : 0;
  return std::clamp(static_cast<double>(*frame.get(FrameMetric::ThreadMinorFaults)) - ownTimed, 0.0,
                    static_cast<double>(frame.faults()) - timed);
}

// At most the time that the thread ran.
double FrameJudge::ownUntimedCost(const GameFrame& frame) const {
  if (!m_rules.nsPerFault || !frame.threadTime()) return 0;
  const ThreadTime time = *frame.threadTime();
  const Nanoseconds teardown = frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0));
  const Nanoseconds ran = frame.duration - time.faults() - teardown - time.waiting - time.sleeping;
  return std::min(ownUntimed(frame) * *m_rules.nsPerFault, std::max(number(ran), 0.0));
}

// Without the thread's own time its own faults count; if these are unknown, those of all threads.
FrameJudge::Spent FrameJudge::spentIn(const GameFrame& frame, std::optional<Nanoseconds> cost) const {
  const Nanoseconds delayed = frame.delay() ? frame.delay()->ownAdded.value_or(Nanoseconds(0)) : Nanoseconds(0);
  Spent spent{.lasted = std::max(number(frame.duration - delayed), 0.0),
              .teardownKnown = frame.time(FrameMetric::ThreadTeardownTime).has_value()};
  const double all = cost ? number(*cost) : 0;
  const double teardown = number(frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0)));
  if (frame.threadTime()) {
    const ThreadTime time = *frame.threadTime();
    spent.estimated = ownUntimedCost(frame);
    const double faults = std::min(number(time.faults()) + spent.estimated, spent.lasted);
    const double onProcessor = std::min(number(time.inFaults.onProcessor) + spent.estimated, faults);
    spent.inTeardown = std::min(teardown, spent.lasted - faults);
    const double memory = faults + spent.inTeardown;
    const double away = std::min(number(time.waiting), spent.lasted - memory);
    spent.sleeping = std::min(number(time.sleeping), spent.lasted - memory - away);
    spent.running = spent.lasted - memory - away - spent.sleeping;
    const double forMemory = onProcessor + spent.inTeardown;
    const double busy = forMemory + spent.running;
    spent.inFaults = faults;
    spent.byMemory = memory + (busy > 0 ? away * forMemory / busy : 0);
    spent.waiting = spent.lasted - spent.byMemory - spent.sleeping - spent.running;
    spent.ofOthers = std::max(all - faults, 0.0);
    spent.unseen = std::min(kUnseen * number(time.inFaults.onProcessor), spent.running);
    spent.measured = true;
    spent.timed = frame.time(FrameMetric::FaultTime).has_value();
    return spent;
  }
  double own = all;
  if (frame.time(FrameMetric::ThreadFaultTime)) own = number(*frame.time(FrameMetric::ThreadFaultTime));
  else if (!frame.time(FrameMetric::FaultTime) && frame.get(FrameMetric::ThreadMinorFaults) && frame.minorFaults() > 0)
    own = all * static_cast<double>(*frame.get(FrameMetric::ThreadMinorFaults)) /
          static_cast<double>(frame.minorFaults());
  spent.inFaults = std::min(own, spent.lasted);
  spent.inTeardown = std::min(teardown, spent.lasted - spent.inFaults);
  spent.byMemory = spent.inFaults + spent.inTeardown;
  spent.ofOthers = all - spent.inFaults;
  return spent;
}

FrameJudge::Deadline FrameJudge::deadline() const {
  const double budget = number(m_rules.budget);
  const bool given = m_rules.budget != kDefaultBudget;
  Deadline deadline{
      .at = budget, .latest = (1 + kNotable) * budget, .by = given ? DeadlineBy::Given : DeadlineBy::Default};
  const auto usual = m_durations.usual();
  if (!usual) return deadline;
  const auto cadence = this->cadence(*usual);
  deadline.paced = cadence.has_value();
  if (given || (!deadline.paced && *usual <= budget)) return deadline;
  deadline.by = deadline.paced ? DeadlineBy::Cadence : DeadlineBy::Usual;
  deadline.at = cadence.value_or(*usual);
  deadline.latest = (1 + (deadline.paced ? kCadenceTolerance : kUnpacedTolerance)) * deadline.at;
  return deadline;
}

// On a busy machine many frames may miss their slots: then the shorter ones tell the slot's length.
std::optional<double> FrameJudge::cadence(double usual) const {
  const auto sleeps = m_sleeping.usual();
  for (const double slot : {usual, m_durations.seldomLess()}) {
    if (slot < kShortestSlot) continue;
    const bool commonRate = isCommonRate(slot) && (!sleeps || *sleeps > 0);
    if (m_durations.shareOnGrid(slot, kAbout) >= kMostFrames && (commonRate || (sleeps && *sleeps > kSleeps * slot)))
      return slot * std::max(std::round(usual / slot), 1.0);
  }
  return std::nullopt;
}

// Where many frames last twice the usual time, as beside other work on a processor, none of them stands out.
bool FrameJudge::standsOut(double lasted) const {
  return lasted > kSeldom * m_durations.seldomMore() &&
         m_durations.standsOut(lasted, kFarLonger, number(m_rules.budget) / 10);
}

void FrameJudge::judgeTime(const Spent& spent, FrameVerdict& verdict) const {
  const Deadline deadline = this->deadline();
  const bool over = spent.lasted > deadline.latest;
  if (!m_rules.timesAreMeasured) return;
  verdict.deadline = {Nanoseconds(std::llround(deadline.at)), deadline.by};
  verdict.late = over || standsOut(spent.lasted);
  if (!verdict.late) return;
  const double due = over ? deadline.at : *m_durations.usual();
  const double excess = spent.lasted - due;
  verdict.excess = Nanoseconds(static_cast<std::int64_t>(excess));
  if (!verdict.faultTime && !spent.measured) {
    verdict.lateByFaults = verdict.likely = verdict.costly;
    verdict.perhapsByTeardown = !verdict.lateByFaults && !spent.teardownKnown;
    return;
  }
  // Sleep ends with the slot: a thread that is busy for less than that was not late for its work.
  const double busy = deadline.paced ? spent.lasted - spent.sleeping : spent.lasted;
  if (!deadline.paced || (spent.measured && busy > deadline.latest)) {
    const auto without = [&](double memory) { return std::max(busy - memory, deadline.paced ? due : 0); };
    const auto meets = [&](double lasted) { return over ? lasted <= deadline.latest : !standsOut(lasted); };
    const bool surely = meets(without(spent.byMemory));
    const double memory = spent.byMemory + (surely ? 0 : spent.unseen);
    verdict.explained = std::clamp((busy - without(memory)) / (busy - due), 0.0, 1.0);
    verdict.lateByFaults = meets(without(memory)) && spent.inMemory() > kNotable * deadline.at;
    verdict.likely = verdict.lateByFaults && (!surely || !spent.measured || spent.estimated > kNotable * deadline.at);
  }
  if (!verdict.lateByFaults) blameGrowth(spent, excess, deadline.paced, verdict);
  verdict.lateByTeardown = verdict.lateByFaults && spent.inTeardown > spent.inFaults;
  if (verdict.lateByTeardown) verdict.lateByFaults = false;
  verdict.perhapsByTeardown = !verdict.lateByMemory() && mayBeTeardown(spent, deadline.paced);
  verdict.perhapsByFaults = !verdict.lateByMemory() && mayBeFaults(spent, deadline, over);
}

// Faults without a measured time may take far more than it is assumed, but not more than the thread ran.
bool FrameJudge::mayBeFaults(const Spent& spent, const Deadline& deadline, bool over) const {
  if (!spent.timed || spent.estimated <= 0) return false;
  const double memory = spent.byMemory + std::min((kDearest - 1) * spent.estimated, spent.running);
  const double busy = deadline.paced ? spent.lasted - spent.sleeping : spent.lasted;
  return over ? busy - memory <= deadline.latest : !standsOut(busy - memory);
}

bool FrameJudge::mayBeTeardown(const Spent& spent, bool paced) const {
  if (!spent.measured || spent.teardownKnown) return !spent.teardownKnown;
  const double ran = m_running.growth(spent.running);
  const double away = m_waiting.growth(spent.waiting) + (paced ? 0 : m_sleeping.growth(spent.sleeping));
  return ran > kGrown * m_durations.usual().value_or(0) && ran > away;
}

// Of a thread that slept longer while others were in faults for more of the time than usual, as long as it may have
// waited for them.
void FrameJudge::blameGrowth(const Spent& spent, double excess, bool paced, FrameVerdict& verdict) const {
  const double usual = m_durations.usual().value_or(number(m_rules.budget));
  const double memory = m_byMemory.growth(spent.byMemory);
  const double slept = m_sleeping.growth(spent.sleeping);
  const double ofOthers = std::max(spent.ofOthers - kMoreOfOthers * m_ofOthers.seldomMore() * spent.lasted, 0.0);
  const double grown = (spent.measured ? kGrown : 2 * kGrown) * usual;
  const bool muchLonger = spent.lasted > (1 + kMost) * usual;
  const bool missedSlot = paced && muchLonger;
  // A thread that wakes a little late has not waited for others that are in faults all the time.
  const double wait =
      spent.measured && (muchLonger || m_ofOthers.seldomMore() < kGrown) ? std::min(ofOthers, slept) : 0;
  const double awaited = wait > grown ? wait : 0;
  double others = std::max(excess - memory, 0.0);
  if (spent.measured)
    others = m_waiting.growth(spent.waiting) + m_running.growth(spent.running) + (paced ? 0 : slept - awaited);
  else if (missedSlot) others = 0;
  double share = awaited / excess;
  const bool notable = spent.inMemory() > kNotable * number(m_rules.budget) || paced;
  const double blamed = (notable && memory > grown ? memory : 0) + (missedSlot ? awaited : 0);
  if (blamed > 0) share = std::max(share, blamed / (blamed + others));
  verdict.explained = std::clamp(std::max(share, verdict.explained.value_or(0)), 0.0, 1.0);
  verdict.lateByFaults = verdict.likely = share >= kMost;
}

}  // namespace faultline

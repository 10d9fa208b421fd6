#include "core/frames/ledger.h"

#include <algorithm>

namespace faultline {
namespace {

// Of measured faults, where no gap between faults was seen: entry, return and timing, at least (tests/bench/README.md).
constexpr double kUnseen = 0.15;

// The thread's faults that have no measured time, such as those of pages populated in advance, if its other faults are
// as dear as those of all threads. Without times of faults: all of them.
double ownUntimed(const GameFrame& frame) {
  if (!frame.threadTime() || !frame.get(FrameMetric::ThreadMinorFaults)) return 0;
  if (!frame.time(FrameMetric::FaultTime))
    return static_cast<double>(std::min(*frame.get(FrameMetric::ThreadMinorFaults), frame.minorFaults()));
  if (!frame.get(FrameMetric::TimedFaults)) return 0;
  const double all = inNs(frame.time(FrameMetric::FaultTime).value_or(Nanoseconds(0)));
  const auto timed = static_cast<double>(*frame.get(FrameMetric::TimedFaults));
  const double ownTimed = all > 0 ? timed * inNs(frame.threadTime()->faults()) / all : 0;
  return std::clamp(static_cast<double>(*frame.get(FrameMetric::ThreadMinorFaults)) - ownTimed, 0.0,
                    static_cast<double>(frame.faults()) - timed);
}

// At most the time that the thread ran.
double ownUntimedCost(const GameFrame& frame, std::optional<double> nsPerFault) {
  if (!nsPerFault || !frame.threadTime()) return 0;
  const ThreadTime time = *frame.threadTime();
  const Nanoseconds teardown = frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0));
  const Nanoseconds ran = frame.duration - time.faults() - teardown - time.waiting - time.sleeping;
  return std::min(ownUntimed(frame) * *nsPerFault, std::max(inNs(ran), 0.0));
}

std::optional<Nanoseconds> costOf(const GameFrame& frame, std::optional<double> nsPerFault) {
  if (!nsPerFault) return frame.time(FrameMetric::FaultTime);
  const double lasted = inNs(frame.duration);
  if (!frame.time(FrameMetric::FaultTime)) {
    const double ofOthers = static_cast<double>(frame.minorFaults()) - ownUntimed(frame);
    const double cost = ownUntimedCost(frame, nsPerFault) + std::min(ofOthers * *nsPerFault, lasted);
    return Nanoseconds(static_cast<std::int64_t>(cost));
  }
  if (!frame.get(FrameMetric::TimedFaults)) return frame.time(FrameMetric::FaultTime);
  const double ofOthers =
      static_cast<double>(frame.faults() - *frame.get(FrameMetric::TimedFaults)) - ownUntimed(frame);
  const double cost = ownUntimedCost(frame, nsPerFault) + std::min(ofOthers * *nsPerFault, lasted);
  return *frame.time(FrameMetric::FaultTime) + Nanoseconds(static_cast<std::int64_t>(cost));
}

// Parts that were measured one after the other may exceed the frame: each has the room that those before it have left.
void spendByThread(const GameFrame& frame, std::optional<double> nsPerFault, FrameLedger& spent) {
  const ThreadTime time = *frame.threadTime();
  double room = spent.lasted;
  const auto take = [&room](double wanted) {
    const double taken = std::min(wanted, room);
    room -= taken;
    return taken;
  };
  const auto of = [&frame](FrameMetric metric) { return inNs(frame.time(metric).value_or(Nanoseconds(0))); };
  const double onProcessor = inNs(time.inFaults.onProcessor);
  spent.estimated = ownUntimedCost(frame, nsPerFault);
  spent.faults = take(onProcessor + inNs(time.inFaults.blocked)) + take(spent.estimated);
  spent.teardown = take(of(FrameMetric::ThreadTeardownTime));
  spent.waiting = take(inNs(time.inFaults.waiting) + inNs(time.waiting));
  spent.behind = std::min(of(FrameMetric::ThreadWaitingBehind), spent.waiting);
  spent.sleeping = take(inNs(time.sleeping));
  spent.running = room;
  spent.sampling = std::min(of(FrameMetric::ThreadSamplingTime), spent.running);
  const double awaitedFaults = std::min(of(FrameMetric::ThreadAwaitedFaultTime), spent.sleeping);
  const double awaitedTeardown = std::min(of(FrameMetric::ThreadAwaitedTeardownTime), spent.sleeping - awaitedFaults);
  spent.nobody = std::max(spent.sleeping - of(FrameMetric::ThreadAwaiting), 0.0);
  spent.faults += awaitedFaults;
  spent.teardown += awaitedTeardown;
  spent.awaited = awaitedFaults + awaitedTeardown;
  const double eachUnseen = of(FrameMetric::UnseenFaultTime);
  const double ownTimed = static_cast<double>(frame.ownFaults().value_or(0)) - ownUntimed(frame);
  spent.unseen =
      std::min(eachUnseen > 0 ? ownTimed * eachUnseen : kUnseen * onProcessor, spent.running - spent.sampling);
  const double awaited = of(FrameMetric::ThreadAwaiting) - awaitedFaults - awaitedTeardown;
  const double timed = static_cast<double>(frame.get(FrameMetric::TimedFaults).value_or(frame.faults()));
  const double each = of(FrameMetric::FaultTime) / std::max(timed, 1.0);
  const double relative = eachUnseen > 0 && each > 0 ? eachUnseen / each : kUnseen;
  spent.awaitedWaiting = std::clamp(of(FrameMetric::ThreadAwaitedWaiting), 0.0, std::max(awaited, 0.0));
  spent.unseen += std::clamp(relative * awaitedFaults, 0.0, std::max(awaited - spent.awaitedWaiting, 0.0));
  spent.measured = true;
}

}  // namespace

// Without the thread's own time its own faults count; if these are unknown, those of all threads.
FrameLedger ledgerOf(const GameFrame& frame, std::optional<double> nsPerFault) {
  const Nanoseconds delayed = frame.delay() ? frame.delay()->ownAdded.value_or(Nanoseconds(0)) : Nanoseconds(0);
  FrameLedger spent{.cost = costOf(frame, nsPerFault),
                    .lasted = std::max(inNs(frame.duration - delayed), 0.0),
                    .teardownKnown = frame.time(FrameMetric::ThreadTeardownTime).has_value()};
  spent.timed = frame.time(FrameMetric::FaultTime).has_value();
  if (!spent.timed) spent.untimedMajors = static_cast<double>(frame.majorFaults().value_or(0));
  if (const auto freed = frame.get(FrameMetric::FreedBytes)) spent.freed = static_cast<double>(*freed);
  const double all = spent.cost ? inNs(*spent.cost) : 0;
  if (frame.threadTime()) {
    spendByThread(frame, nsPerFault, spent);
    spent.pathKnown = frame.values.has(FrameMetric::ThreadAwaiting);
    if (!spent.pathKnown) spent.ofOthers = std::max(all - spent.faults, 0.0);
    return spent;
  }
  double own = all;
  if (frame.time(FrameMetric::ThreadFaultTime)) own = inNs(*frame.time(FrameMetric::ThreadFaultTime));
  else if (frame.get(FrameMetric::ThreadMinorFaults) && frame.minorFaults() > 0)
    own = all * static_cast<double>(*frame.get(FrameMetric::ThreadMinorFaults)) /
          static_cast<double>(frame.minorFaults());
  else spent.ownUnknown = true;
  spent.faults = std::min(own, spent.lasted);
  spent.teardown =
      std::min(inNs(frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0))), spent.lasted - spent.faults);
  spent.running = spent.lasted - spent.faults - spent.teardown;
  spent.estimated = spent.timed ? 0 : spent.faults;
  spent.ofOthers = all - spent.faults;
  return spent;
}

}  // namespace faultline

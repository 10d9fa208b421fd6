#include "core/model/frame_values.h"

namespace faultline {
namespace {

using enum FrameMetric;

std::optional<FaultTimeParts> partsFrom(const FrameValues& values, FrameMetric onProcessor, FrameMetric waiting,
                                        FrameMetric blocked) {
  const auto first = values.time(onProcessor);
  const auto second = values.time(waiting);
  const auto third = values.time(blocked);
  return first && second && third ? std::optional(FaultTimeParts{*first, *second, *third}) : std::nullopt;
}

// The member of `whole`, or absent with it.
template <class Whole, class Part>
std::optional<Nanoseconds> partOf(const std::optional<Whole>& whole, Part part) {
  return whole ? std::optional<Nanoseconds>(part(*whole)) : std::nullopt;
}

}  // namespace

void FrameValues::clearIncomplete() {
  const auto clearUnless = [&](bool known, FrameScope scope, FrameGroup group) {
    if (known) return;
    for (const FrameField& row : kFrameFields)
      if (row.scope == scope && row.group == group) clear(row.metric);
  };
  clearUnless(faultParts().has_value(), FrameScope::Game, FrameGroup::Parts);
  clearUnless(threadTime().has_value(), FrameScope::Thread, FrameGroup::Parts);
  if (!delay()) setDelay(std::nullopt);
}

std::optional<FaultTimeParts> FrameValues::faultParts() const {
  return partsFrom(*this, FaultTimeOnProcessor, FaultTimeWaiting, FaultTimeBlocked);
}

void FrameValues::setFaultParts(const std::optional<FaultTimeParts>& parts) {
  set(FaultTimeOnProcessor, partOf(parts, [](const auto& of) { return of.onProcessor; }));
  set(FaultTimeWaiting, partOf(parts, [](const auto& of) { return of.waiting; }));
  set(FaultTimeBlocked, partOf(parts, [](const auto& of) { return of.blocked; }));
}

std::optional<ThreadTime> FrameValues::threadTime() const {
  const auto parts = partsFrom(*this, ThreadFaultTimeOnProcessor, ThreadFaultTimeWaiting, ThreadFaultTimeBlocked);
  const auto waiting = time(ThreadWaiting);
  const auto sleeping = time(ThreadSleeping);
  return parts && waiting && sleeping ? std::optional(ThreadTime{*parts, *waiting, *sleeping}) : std::nullopt;
}

void FrameValues::setThreadTime(const std::optional<ThreadTime>& time) {
  set(ThreadFaultTimeOnProcessor, partOf(time, [](const auto& of) { return of.inFaults.onProcessor; }));
  set(ThreadFaultTimeWaiting, partOf(time, [](const auto& of) { return of.inFaults.waiting; }));
  set(ThreadFaultTimeBlocked, partOf(time, [](const auto& of) { return of.inFaults.blocked; }));
  set(ThreadWaiting, partOf(time, [](const auto& of) { return of.waiting; }));
  set(ThreadSleeping, partOf(time, [](const auto& of) { return of.sleeping; }));
}

std::optional<FrameDelay> FrameValues::delay() const {
  const auto added = time(Delay);
  const auto stretch = get(DelayStretch);
  if (!added || !stretch) return std::nullopt;
  return FrameDelay{.added = *added,
                    .ownAdded = time(ThreadDelay),
                    .ownAwaited = time(ThreadFutexTime),
                    .pair = *stretch / 2,
                    .delayed = *stretch % 2 == 1};
}

void FrameValues::setDelay(const std::optional<FrameDelay>& delay) {
  set(Delay, partOf(delay, [](const auto& of) { return of.added; }));
  set(ThreadDelay, delay ? delay->ownAdded : std::nullopt);
  set(ThreadFutexTime, delay ? delay->ownAwaited : std::nullopt);
  set(DelayStretch, delay ? std::optional(2 * delay->pair + (delay->delayed ? 1 : 0)) : std::nullopt);
}

}  // namespace faultline

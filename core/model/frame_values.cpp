#include "core/model/frame_values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace faultline {
namespace {

using enum FrameMetric;

constexpr std::uint64_t ofGroup(FrameScope scope, FrameGroup group) {
  return frameMetricsThat([&](const FrameField& row) { return row.scope == scope && row.group == group; });
}

// The member of `whole`, or absent with it.
template <class Whole, class Part>
std::optional<Nanoseconds> partOf(const std::optional<Whole>& whole, Part part) {
  return whole ? std::optional<Nanoseconds>(part(*whole)) : std::nullopt;
}

}  // namespace

void FrameValues::clearIncomplete() {
  constexpr std::uint64_t kGameParts = ofGroup(FrameScope::Game, FrameGroup::Parts);
  constexpr std::uint64_t kThreadParts = ofGroup(FrameScope::Thread, FrameGroup::Parts);
  constexpr std::uint64_t kDelays =
      frameMetricsThat([](const FrameField& row) { return row.group == FrameGroup::Delays; });
  if (!hasAll(kFaultParts)) clearAll(kGameParts);
  if (!hasAll(kThreadTime)) clearAll(kThreadParts);
  if (!hasAll(kDelay)) clearAll(kDelays);
}

void FrameValues::setFaultParts(const std::optional<FaultTimeParts>& parts) {
  set(FaultTimeOnProcessor, partOf(parts, [](const auto& of) { return of.onProcessor; }));
  set(FaultTimeWaiting, partOf(parts, [](const auto& of) { return of.waiting; }));
  set(FaultTimeBlocked, partOf(parts, [](const auto& of) { return of.blocked; }));
}

void FrameValues::setThreadTime(const std::optional<ThreadTime>& time) {
  set(ThreadFaultTimeOnProcessor, partOf(time, [](const auto& of) { return of.inFaults.onProcessor; }));
  set(ThreadFaultTimeWaiting, partOf(time, [](const auto& of) { return of.inFaults.waiting; }));
  set(ThreadFaultTimeBlocked, partOf(time, [](const auto& of) { return of.inFaults.blocked; }));
  set(ThreadWaiting, partOf(time, [](const auto& of) { return of.waiting; }));
  set(ThreadSleeping, partOf(time, [](const auto& of) { return of.sleeping; }));
}

void FrameValues::setDelay(const std::optional<FrameDelay>& delay) {
  set(Delay, partOf(delay, [](const auto& of) { return of.added; }));
  set(ThreadDelay, delay ? delay->ownAdded : std::nullopt);
  set(ThreadFutexTime, delay ? delay->ownAwaited : std::nullopt);
  set(DelayStretch, delay ? std::optional(2 * delay->pair + (delay->delayed ? 1 : 0)) : std::nullopt);
}

std::optional<WaitedBehind> FrameValues::waitedBehind() const {
  std::string name;
  for (const FrameMetric half : {ThreadBehindName, ThreadBehindNameRest})
    for (unsigned shift = 0; shift < 64; shift += 8) name += static_cast<char>(get(half).value_or(0) >> shift & 0xffU);
  name.resize(std::min(name.size(), name.find('\0')));
  const auto behind = time(ThreadWaitingBehind);
  if (name.empty() || behind.value_or(Nanoseconds(0)) == Nanoseconds(0)) return std::nullopt;
  return WaitedBehind{std::move(name), *behind};
}

void FrameValues::setWaitedBehind(const WaitedBehind& behind) {
  constexpr std::size_t kMost = 15;
  std::array<std::uint64_t, 2> halves{};
  for (std::size_t i = 0; i < std::min(behind.program.size(), kMost); ++i)
    halves.at(i / 8) |= std::uint64_t{static_cast<unsigned char>(behind.program[i])} << (i % 8 * 8);
  set(ThreadWaitingBehind, behind.time);
  set(ThreadBehindName, halves[0]);
  set(ThreadBehindNameRest, halves[1]);
}

}  // namespace faultline

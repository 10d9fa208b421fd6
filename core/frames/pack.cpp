#include "core/frames/pack.h"

#include <bit>
#include <optional>

#include "core/base/varint.h"

namespace faultline {
namespace {

enum Present : unsigned {
  kOwnMinor = 1,
  kOwnMajor = 2,
  kZeroed = 4,
  kFaultTime = 8,
  kOwnZeroed = 16,
  kOwnFaultTime = 32,
  kCost = 64,
  kExplained = 128,
};
enum Flag : unsigned {
  kEstimated = 1,
  kCostly = 2,
  kLate = 4,
  kLateByFaults = 8,
  kExcess = 16,
  kOtherThread = 32,
  kCostIsMeasured = 64,  // the verdict's time equals the frame's own
  kTimedFaults = 128,
  kHasFaultParts = 256,
  kThreadTime = 512,
  kLikely = 1024,
  kTeardown = 2048,
  kOwnTeardown = 4096,
  kLateByTeardown = 8192,
  kPerhapsByTeardown = 16384,
  kDeadline = 32768,
  kOtherDeadline = 65536,
  kPerhapsByFaults = 131072,
  kDelay = 262144,
  kOwnDelay = 524288,
  kAwaited = 1048576,
  kMajorUnknown = 2097152,
};

void put(std::uint64_t value, std::vector<std::uint8_t>& out) {
  putVarint(value, out);
}
void put(Nanoseconds value, std::vector<std::uint8_t>& out) {
  putSignedVarint(value.count(), out);
}
void put(const FrameDelay& delay, std::vector<std::uint8_t>& out) {
  put(delay.added, out);
  if (delay.ownAdded) put(*delay.ownAdded, out);
  if (delay.ownAwaited) put(*delay.ownAwaited, out);
  put(2 * delay.pair + (delay.delayed ? 1 : 0), out);
}
void put(const FaultTimeParts& parts, std::vector<std::uint8_t>& out) {
  for (const Nanoseconds part : {parts.onProcessor, parts.waiting, parts.blocked}) put(part, out);
}
template <class T>
void put(const std::optional<T>& value, std::vector<std::uint8_t>& out) {
  if (value) put(*value, out);
}

std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a - b);
}
std::uint64_t wrappingEnd(const GameFrame& frame) {
  return static_cast<std::uint64_t>(frame.start.sinceEpoch.count()) +
         static_cast<std::uint64_t>(frame.duration.count());
}

unsigned presence(const JudgedFrame& judged) {
  const GameFrame& f = judged.frame;
  return (f.ownMinorFaults ? kOwnMinor : 0U) | (f.ownMajorFaults ? kOwnMajor : 0U) | (f.zeroedBytes ? kZeroed : 0U) |
         (f.faultTime ? kFaultTime : 0U) | (f.ownZeroedBytes ? kOwnZeroed : 0U) |
         (f.ownFaultTime ? kOwnFaultTime : 0U) | (judged.verdict.faultTime ? kCost : 0U) |
         (judged.verdict.explained ? kExplained : 0U);
}

unsigned flags(const JudgedFrame& judged, const JudgedFrame& before) {
  const FrameVerdict& v = judged.verdict;
  return (v.estimated ? kEstimated : 0U) | (v.costly ? kCostly : 0U) | (v.late ? kLate : 0U) |
         (v.lateByFaults ? kLateByFaults : 0U) | (v.excess.count() != 0 ? kExcess : 0U) |
         (judged.frame.thread != before.frame.thread ? kOtherThread : 0U) |
         (v.faultTime == judged.frame.faultTime ? kCostIsMeasured : 0U) |
         (judged.frame.timedFaults ? kTimedFaults : 0U) | (judged.frame.faultParts ? kHasFaultParts : 0U) |
         (judged.frame.threadTime ? kThreadTime : 0U) | (v.likely ? kLikely : 0U) |
         (judged.frame.teardown ? kTeardown : 0U) | (judged.frame.ownTeardown ? kOwnTeardown : 0U) |
         (v.lateByTeardown ? kLateByTeardown : 0U) | (v.perhapsByTeardown ? kPerhapsByTeardown : 0U) |
         (judged.frame.majorFaults ? 0U : kMajorUnknown) | (v.perhapsByFaults ? kPerhapsByFaults : 0U) |
         (judged.frame.delay ? kDelay : 0U) | (judged.frame.delay && judged.frame.delay->ownAdded ? kOwnDelay : 0U) |
         (judged.frame.delay && judged.frame.delay->ownAwaited ? kAwaited : 0U) | (v.deadline ? kDeadline : 0U) |
         (v.deadline && v.deadline != before.verdict.deadline ? kOtherDeadline : 0U);
}

}  // namespace

void packFrame(const JudgedFrame& judged, const JudgedFrame& before, std::vector<std::uint8_t>& out) {
  const GameFrame& f = judged.frame;
  const FrameVerdict& v = judged.verdict;
  const unsigned flag = flags(judged, before);
  out.push_back(static_cast<std::uint8_t>(presence(judged)));
  put(std::uint64_t{flag}, out);
  putSignedVarint(difference(f.number, before.frame.number), out);
  putSignedVarint(difference(static_cast<std::uint64_t>(f.start.sinceEpoch.count()), wrappingEnd(before.frame)), out);
  put(f.duration, out);
  if ((flag & kOtherThread) != 0) put(std::uint64_t{f.thread}, out);
  put(f.minorFaults, out);
  put(f.majorFaults, out);
  put(f.ownMinorFaults, out);
  put(f.ownMajorFaults, out);
  put(f.zeroedBytes, out);
  put(f.faultTime, out);
  put(f.ownZeroedBytes, out);
  put(f.ownFaultTime, out);
  put(f.timedFaults, out);
  if (f.faultParts) put(*f.faultParts, out);
  if (f.threadTime) {
    put(f.threadTime->inFaults, out);
    put(f.threadTime->waiting, out);
    put(f.threadTime->sleeping, out);
  }
  put(f.teardown, out);
  put(f.ownTeardown, out);
  put(f.delay, out);
  if ((flag & kCostIsMeasured) == 0) put(v.faultTime, out);
  if ((flag & kExcess) != 0) put(v.excess, out);
  if ((flag & kOtherDeadline) != 0) {
    put(v.deadline->after, out);
    put(std::uint64_t{static_cast<std::uint8_t>(v.deadline->by)}, out);
  }
  if (v.explained) put(std::bit_cast<std::uint64_t>(*v.explained), out);
}

JudgedFrame unpackFrame(std::span<const std::uint8_t>& bytes, const JudgedFrame& before) {
  JudgedFrame judged;
  GameFrame& f = judged.frame;
  FrameVerdict& v = judged.verdict;
  const unsigned present = bytes[0];
  bytes = bytes.subspan(1);
  const auto flag = static_cast<unsigned>(takeVarint(bytes));
  const auto time = [&] { return Nanoseconds(takeSignedVarint(bytes)); };
  f.number = before.frame.number + static_cast<std::uint64_t>(takeSignedVarint(bytes));
  f.start.sinceEpoch = Nanoseconds(
      static_cast<std::int64_t>(wrappingEnd(before.frame) + static_cast<std::uint64_t>(takeSignedVarint(bytes))));
  f.duration = time();
  f.thread = (flag & kOtherThread) != 0 ? static_cast<std::uint32_t>(takeVarint(bytes)) : before.frame.thread;
  f.minorFaults = takeVarint(bytes);
  f.majorFaults = (flag & kMajorUnknown) == 0 ? std::optional<std::uint64_t>(takeVarint(bytes)) : std::nullopt;
  if ((present & kOwnMinor) != 0) f.ownMinorFaults = takeVarint(bytes);
  if ((present & kOwnMajor) != 0) f.ownMajorFaults = takeVarint(bytes);
  if ((present & kZeroed) != 0) f.zeroedBytes = takeVarint(bytes);
  if ((present & kFaultTime) != 0) f.faultTime = time();
  if ((present & kOwnZeroed) != 0) f.ownZeroedBytes = takeVarint(bytes);
  if ((present & kOwnFaultTime) != 0) f.ownFaultTime = time();
  if ((flag & kTimedFaults) != 0) f.timedFaults = takeVarint(bytes);
  const auto times = [&](auto... which) { ((*which = time()), ...); };
  if ((flag & kHasFaultParts) != 0) {
    FaultTimeParts& parts = f.faultParts.emplace();
    times(&parts.onProcessor, &parts.waiting, &parts.blocked);
  }
  if ((flag & kThreadTime) != 0) {
    ThreadTime& own = f.threadTime.emplace();
    times(&own.inFaults.onProcessor, &own.inFaults.waiting, &own.inFaults.blocked, &own.waiting, &own.sleeping);
  }
  if ((flag & kTeardown) != 0) f.teardown = time();
  if ((flag & kOwnTeardown) != 0) f.ownTeardown = time();
  if ((flag & kDelay) != 0) {
    FrameDelay& delay = f.delay.emplace();
    delay.added = time();
    if ((flag & kOwnDelay) != 0) delay.ownAdded = time();
    if ((flag & kAwaited) != 0) delay.ownAwaited = time();
    const std::uint64_t stretch = takeVarint(bytes);
    delay.pair = stretch / 2;
    delay.delayed = stretch % 2 == 1;
  }
  if ((flag & kCostIsMeasured) != 0) v.faultTime = f.faultTime;
  else if ((present & kCost) != 0) v.faultTime = time();
  v.estimated = (flag & kEstimated) != 0;
  v.costly = (flag & kCostly) != 0;
  v.late = (flag & kLate) != 0;
  v.lateByFaults = (flag & kLateByFaults) != 0;
  v.likely = (flag & kLikely) != 0;
  v.lateByTeardown = (flag & kLateByTeardown) != 0;
  v.perhapsByTeardown = (flag & kPerhapsByTeardown) != 0;
  v.perhapsByFaults = (flag & kPerhapsByFaults) != 0;
  if ((flag & kExcess) != 0) v.excess = time();
  if ((flag & kDeadline) != 0) v.deadline = before.verdict.deadline;
  if ((flag & kOtherDeadline) != 0) {
    const Nanoseconds after = time();
    v.deadline = {after, static_cast<DeadlineBy>(takeVarint(bytes))};
  }
  if ((present & kExplained) != 0) v.explained = std::bit_cast<double>(takeVarint(bytes));
  return judged;
}

}  // namespace faultline

// FrameValues: the numbers of a frame, or those of a game up to a mark, by the rows of frame_fields.h; and those that
// belong together as one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/units.h"
#include "core/model/frame_fields.h"
#include "core/model/values.h"

namespace faultline {

// The parts of the time inside faults; they add up to the whole.
struct FaultTimeParts {
  Nanoseconds onProcessor{0};
  Nanoseconds waiting{0};  // for a processor: runnable, but not running
  Nanoseconds blocked{0};  // waiting for the disk, a lock, reclaim, compaction

  bool operator==(const FaultTimeParts&) const = default;
};

// How a thread spent the time between two marks, besides running.
struct ThreadTime {
  FaultTimeParts inFaults;
  Nanoseconds waiting{0};   // for a processor, outside faults
  Nanoseconds sleeping{0};  // or blocked, outside faults

  [[nodiscard]] Nanoseconds faults() const { return inFaults.onProcessor + inFaults.waiting + inFaults.blocked; }
  bool operator==(const ThreadTime&) const = default;
};

// The delay that a collector has added, on request, to the ends of a frame's page faults, to find out what these cost
// the frame. The delay is no part of the time in faults. In one stretch of frames of each two faults are delayed; the
// two are a pair.
struct FrameDelay {
  Nanoseconds added{0};  // in all threads together; exact
  // The delay of the thread that reached the mark, and its time in waits for a futex outside faults, which mostly are
  // for other threads; absent unless it reached both marks.
  std::optional<Nanoseconds> ownAdded{};
  std::optional<Nanoseconds> ownAwaited{};
  std::uint64_t pair = 0;  // number, from 1; 0: before the first
  bool delayed = false;    // the frame is of the stretch with delays

  bool operator==(const FrameDelay&) const = default;
};

// The program that ran longest on the processor for which a thread waited, and for how long it did.
struct WaitedBehind {
  std::string program;  // as the kernel has its name, which need not be UTF-8
  Nanoseconds time{0};

  bool operator==(const WaitedBehind&) const = default;
};

class FrameValues : public Values<FrameMetric, kFrameMetricCount> {
 public:
  // No fault of either kind, and all else unknown.
  FrameValues() {
    set(FrameMetric::MinorFaults, 0U);
    set(FrameMetric::MajorFaults, 0U);
  }

  using Values::set;
  void set(FrameMetric metric, std::optional<Nanoseconds> time) {
    if (time) set(metric, static_cast<std::uint64_t>(time->count()));
    else clear(metric);
  }
  // A time from a stream can be beyond the longest: the reader of the stream refuses it.
  [[nodiscard]] std::optional<Nanoseconds> time(FrameMetric metric) const {
    const auto value = get(metric);
    return value ? std::optional(Nanoseconds(static_cast<std::int64_t>(*value))) : std::nullopt;
  }

  [[nodiscard]] std::uint64_t minorFaults() const { return get(FrameMetric::MinorFaults).value_or(0); }
  [[nodiscard]] std::optional<std::uint64_t> majorFaults() const { return get(FrameMetric::MajorFaults); }
  [[nodiscard]] std::uint64_t faults() const { return minorFaults() + majorFaults().value_or(0); }
  [[nodiscard]] std::optional<std::uint64_t> ownFaults() const {  // of the thread that ended the frame
    const auto minor = get(FrameMetric::ThreadMinorFaults);
    return minor ? std::optional(*minor + get(FrameMetric::ThreadMajorFaults).value_or(0)) : std::nullopt;
  }
  void setFaults(std::uint64_t minor, std::optional<std::uint64_t> major) {
    set(FrameMetric::MinorFaults, minor);
    set(FrameMetric::MajorFaults, major);
  }
  void grow(FrameMetric metric, std::uint64_t amount) { set(metric, get(metric).value_or(0) + amount); }
  // After the faults: a number that covers them all is left out.
  void setTimedFaults(std::optional<std::uint64_t> timed) {
    set(FrameMetric::TimedFaults, timed && *timed < faults() ? timed : std::nullopt);
  }

  [[nodiscard]] std::optional<FaultTimeParts> faultParts() const {
    using enum FrameMetric;
    if (!hasAll(kFaultParts)) return std::nullopt;
    return FaultTimeParts{known(FaultTimeOnProcessor), known(FaultTimeWaiting), known(FaultTimeBlocked)};
  }
  void setFaultParts(const std::optional<FaultTimeParts>& parts);
  [[nodiscard]] std::optional<ThreadTime> threadTime() const {
    using enum FrameMetric;
    if (!hasAll(kThreadTime)) return std::nullopt;
    return ThreadTime{{known(ThreadFaultTimeOnProcessor), known(ThreadFaultTimeWaiting), known(ThreadFaultTimeBlocked)},
                      known(ThreadWaiting),
                      known(ThreadSleeping)};
  }
  void setThreadTime(const std::optional<ThreadTime>& time);
  [[nodiscard]] std::optional<FrameDelay> delay() const {
    using enum FrameMetric;
    if (!hasAll(kDelay)) return std::nullopt;
    const std::uint64_t stretch = *get(DelayStretch);
    return FrameDelay{.added = known(Delay),
                      .ownAdded = time(ThreadDelay),
                      .ownAwaited = time(ThreadFutexTime),
                      .pair = stretch / 2,
                      .delayed = stretch % 2 == 1};
  }
  void setDelay(const std::optional<FrameDelay>& delay);
  // Absent: there was none, or none is known.
  [[nodiscard]] std::optional<WaitedBehind> waitedBehind() const;
  void setWaitedBehind(const WaitedBehind& behind);  // of the name, the first 15 bytes

  // Clears what is left of numbers that are known together or not at all.
  void clearIncomplete();

  bool operator==(const FrameValues&) const = default;

 private:
  static constexpr Bits kFaultParts =
      bitsOf({FrameMetric::FaultTimeOnProcessor, FrameMetric::FaultTimeWaiting, FrameMetric::FaultTimeBlocked});
  static constexpr Bits kThreadTime =
      bitsOf({FrameMetric::ThreadFaultTimeOnProcessor, FrameMetric::ThreadFaultTimeWaiting,
              FrameMetric::ThreadFaultTimeBlocked, FrameMetric::ThreadWaiting, FrameMetric::ThreadSleeping});
  static constexpr Bits kDelay = bitsOf({FrameMetric::Delay, FrameMetric::DelayStretch});

  [[nodiscard]] bool hasAll(Bits bits) const { return (present() & bits) == bits; }
  [[nodiscard]] Nanoseconds known(FrameMetric metric) const { return *time(metric); }
};

}  // namespace faultline

// PolledTime: how a thread spent a frame, from readings of its running and waiting time at other instants than the
// frame's ends. Both are spread evenly between two readings, but a thread neither runs nor waits for longer than the
// time allows: a wait that is noted when it ends counts for the time before. An estimate, off by a few ms; times in
// faults are not known, and part of running or sleeping.
#pragma once

#include <deque>
#include <optional>

#include "core/base/units.h"
#include "core/model/frame_values.h"

namespace faultline {

struct ThreadReading {
  MonotonicTime time;
  Nanoseconds ran{0};     // on a processor, so far
  Nanoseconds waited{0};  // for one, so far
};

class PolledTime {
 public:
  void add(const ThreadReading& reading);  // in order of time
  // Absent unless there are readings before the start and after the end.
  [[nodiscard]] std::optional<ThreadTime> of(MonotonicTime start, Nanoseconds duration) const;

 private:
  [[nodiscard]] ThreadReading at(MonotonicTime time) const;

  std::deque<ThreadReading> m_readings;
};

}  // namespace faultline

// Where a second recording lies on the time axis of a first one: a shift, which added to a time of the second gives the
// time of the first at the same place. Absent if either has no snapshot.
#pragma once

#include <optional>
#include <string>

#include "core/monitor/monitor.h"

namespace faultline {

// By the wall clocks; that of the second is set `later` first, to bring another day to this one.
[[nodiscard]] std::optional<Nanoseconds> shiftByClock(const History& first, const History& second, Nanoseconds later);
[[nodiscard]] std::optional<Nanoseconds> shiftByStart(const History& first, const History& second);
// By the first process of this name that was started while a recording ran. Absent also if either has none.
[[nodiscard]] std::optional<Nanoseconds> shiftByProgram(const Monitor& first, const Monitor& second,
                                                        const std::string& name);

// When a process was started. Absent: it is not known, or was there when the recording began.
[[nodiscard]] std::optional<MonotonicTime> startedIn(const Monitor& recording, const ProcessKey& key);
// The process of the second with the name of `key` in the first, and of several the one that was started nearest to it.
[[nodiscard]] std::optional<ProcessKey> counterpart(const Monitor& first, const ProcessKey& key, const Monitor& second,
                                                    Nanoseconds shift);
// How much later, by the wall clocks, the second was than the first at an instant of the first.
[[nodiscard]] Nanoseconds laterBy(const History& first, const History& second, Nanoseconds shift, MonotonicTime at);

}  // namespace faultline

// The events by which BPF programs of the sweep and of the watch see faults begin and end.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

// The event that ends a fault: the return of the function that serves it or, if no program can be attached to
// functions, the perf event of its accounting.
enum class FaultWay : std::uint8_t { Function, Event };

struct FaultTiming {
  FaultWay way = FaultWay::Function;
  bool entry = false;  // faults begin when the function is entered, not with the processor's exception
};

using MaybeFaultTiming = Result<FaultTiming, Unavailable>;

[[nodiscard]] std::string timedBy(FaultTiming timing);
// Makes this thread fault.
void makeFault();
// Sleeps until a switch of threads has set `seen`, at most 10 ms: a sleep may be over before the thread is asleep.
void makeSwitch(const std::uint32_t& seen);
[[nodiscard]] Unavailable noFaultSeen();

}  // namespace faultline

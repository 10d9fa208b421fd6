// Where BPF programs see faults begin and end: what the sweep's and the watch's programs have in common.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

// What tells the end of a fault: the function that serves it, as it returns; or else, where no program can be attached
// to functions, the perf event of its accounting.
enum class FaultWay : std::uint8_t { Function, Event };

struct FaultTiming {
  FaultWay way = FaultWay::Function;
  bool entry = false;  // faults begin where the function is entered, not with the processor's exception
};

using MaybeFaultTiming = Result<FaultTiming, Unavailable>;

[[nodiscard]] std::string timedBy(FaultTiming timing);
// Makes a fault of this thread's own.
void makeFault();
[[nodiscard]] Unavailable noFaultSeen();

}  // namespace faultline

// What it costs the kernel here to clear memory that is in no cache, in small pages and in large ones. Takes some 5 ms,
// and for that long 8 MB; medians by the given clock. Nothing if that memory cannot be had.
//
// A fresh small page costs a fault and clearing cold memory. One that was given back a moment ago costs the same fault
// and clearing memory in the cache, which can be timed from outside: the difference is what the cold costs more. A
// fresh huge page costs nearly nothing but clearing; where there are none, large costs what small does.
//
// Measured on x86-64, Linux 6.18: small 0.85 of what the same difference gives for 16 MB, 1.15 of `rep stosb` onto
// flushed lines; large 1.0 of touching 64 MB in huge pages. Memory still in a cache costs a fifth: where a process has
// the same pages cleared again and again, bytes times this cost is too much.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "platform/clock.h"

namespace faultline {

[[nodiscard]] std::optional<ZeroingCost> measureZeroingCost(const Clock& clock);

// Of ProcessMetric::ZeroingTime, where zeroed bytes are counted and this is what they are multiplied with.
[[nodiscard]] Quality zeroingTimeQuality(const ZeroingCost& cost);

}  // namespace faultline

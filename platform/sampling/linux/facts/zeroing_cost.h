// What it costs the kernel here to clear memory that is in no cache, in small pages and in large ones. A round takes
// about a millisecond, and for that long 4 MB. All times are processor time of this thread: what others take counts
// nothing.
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
#include <span>
#include <vector>

#include "core/model/hello.h"

namespace faultline {

// What one round has measured, in ns per KiB.
struct ClearingRound {
  double fresh = 0;   // faulting in small pages that are in no cache
  double again = 0;   // the same, of pages that are in one
  double cached = 0;  // clearing what is in a cache
  std::optional<double> large;
};

// What rounds agree on: whatever disturbs one makes it dearer, so a low quantile is right. Nothing: a third of them
// tells something else, by more than 15 %, or there is no memory that is as fast, or as slow.
[[nodiscard]] std::optional<ZeroingCost> agreedCost(std::span<const ClearingRound> rounds);

class ClearingCost {
 public:
  void measureAtStart();  // enough rounds to agree on something
  void measure();         // one more round, in place of the oldest; one that was interrupted is left out
  [[nodiscard]] std::optional<ZeroingCost> cost() const { return agreedCost(m_rounds); }

 private:
  std::vector<ClearingRound> m_rounds;
};

// Of ProcessMetric::ZeroingTime, where zeroed bytes are counted and this is what they are multiplied with.
[[nodiscard]] Quality zeroingTimeQuality(const std::optional<ZeroingCost>& cost);

}  // namespace faultline

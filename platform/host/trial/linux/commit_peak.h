// CommitPeak: the most memory that the processes below this one were promised together, as far as samples tell: a lower
// bound. Commit is field 6 of /proc/PID/statm, as of the collector.
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace faultline {

class CommitPeak {
 public:
  [[nodiscard]] Nanoseconds pause() const { return m_pause; }  // until the next sample
  // The pause then doubles, up to 32 ms, and is a hundred times the sample's CPU time or more.
  void sample();
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }  // 0: no sample saw a process

 private:
  Nanoseconds m_pause{10'000'000};  // a short program would feel samples that come earlier
  std::uint64_t m_bytes = 0;
};

}  // namespace faultline

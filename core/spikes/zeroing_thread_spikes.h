// ZeroingThreadSpikes: bursts of the threads in which Windows zeroes free pages, where the stream has their time.
// Judges it by the thresholds of time in faults and a minimum of its own, over half a second or an interval.
#pragma once

#include <optional>

#include "core/spikes/baseline.h"
#include "core/spikes/detector.h"
#include "core/spikes/freed_memory.h"

namespace faultline {

class ZeroingThreadSpikes {
 public:
  // The spike that began, grew or ended with this moment. Counts `lastId` on for a new one.
  [[nodiscard]] std::optional<Spike> add(const Moment& moment, const SpikeOptions& options, std::uint64_t& lastId);

 private:
  struct Bin {
    MonotonicTime start;
    Nanoseconds span{0};
    double ns = 0;
  };

  [[nodiscard]] std::optional<Spike> judge(const Moment& moment, const SpikeOptions& options, std::uint64_t& lastId);
  void grow(const Moment& moment, double rate);
  [[nodiscard]] std::optional<Spike> close();

  FreedMemoryLog m_freed;
  Baseline m_past;
  Bin m_bin;
  std::optional<Spike> m_spike;
  double m_enter = 0;  // the rate that began it
};

}  // namespace faultline

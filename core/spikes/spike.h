// Spike: a burst of cost in one process, or of zeroing in the background.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/history/rates.h"

namespace faultline {

// The metrics judged for spikes. Spike::cost has the growth of ResidentBytes.
inline constexpr std::array kSpikeMetrics{ProcessMetric::MinorFaults,   ProcessMetric::MajorFaults,
                                          ProcessMetric::ZeroedBytes,   ProcessMetric::FaultTime,
                                          ProcessMetric::ResidentBytes, ProcessMetric::TeardownTime};
template <class T>
using PerSpikeMetric = std::array<T, kSpikeMetrics.size()>;

// Windows zeroes free pages in the background, for no process in particular.
enum class SpikeOf : std::uint8_t {
  Process,
  ZeroingThreads,  // took much processor time: `metric` is ZeroingTime, and `key` the process System if it is seen
  ZeroedList,      // was empty, so that faults zeroed their pages themselves: `metric` is MinorFaults, and no `key`
};

// Memory that a process gave back.
struct FreedMemory {
  ProcessKey key;
  std::string name;
  std::uint64_t bytes = 0;

  bool operator==(const FreedMemory&) const = default;
};

struct Spike {
  std::uint64_t id = 0;  // from 1
  SpikeOf of = SpikeOf::Process;
  ProcessKey key;
  std::string name;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // of a process: one of kSpikeMetrics, in which it is largest
  MonotonicTime start;                                // begin of the first interval that stood out
  MonotonicTime peakTime;
  MonotonicTime end;  // end of the last interval that stood out so far
  WallTime wallStart;
  double peakPerSecond = 0;          // of its metric
  double usualPerSecond = 0;         // recent median of its metric
  std::uint64_t faults = 0;          // major ones if that is its metric, else minor ones; from start to end
  ProcessDeltas cost;                // all counters, from start to end, quiet moments included
  std::optional<FreedMemory> freed;  // of ZeroingThreads: by the process that gave back most then, and shortly before
  std::string parent;                // set by Monitor: name of the program that started it; empty: not known
  bool again = false;                // set by Monitor: repeats a habit, so do not notify again
  bool zeroedEstimated = false;      // set by Monitor: zeroed bytes are not exact
  bool teardownEstimated = false;    // the same of the time of giving memory back
  // May still grow. Ends after a second of quiet, at a gap, or with its process, whose last faults it includes if it
  // stood out until then.
  bool open = true;

  bool operator==(const Spike&) const = default;
};

}  // namespace faultline

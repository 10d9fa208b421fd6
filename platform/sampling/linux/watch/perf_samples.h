// Single faults of a game by perf events, with registers and the top of the stack.
#pragma once

#include "core/base/result.h"
#include "core/model/fault_sample.h"
#include "core/model/quality.h"
#include "platform/sampling/linux/perf/game.h"
#include "platform/sampling/linux/target/watch_target.h"

namespace faultline {

// WholeFaults: reads the single faults of a PerfGame. In each turn call begin(), then read the rings of faults, which
// name the threads, then call take(): the name of a fault's thread may be in another processor's ring.
class WholeFaults {
 public:
  explicit WholeFaults(SampleMode mode) : m_mode(mode) {}

  static void begin(PerfGame& game);
  // Appends the faults up to begin() that are earlier than `left`, when the game executed another program.
  void take(PerfGame& game, MonotonicTime left, FaultSampleBatch& samples);
  [[nodiscard]] Quality quality(const PerfGame& game) const;

 private:
  void takeFrom(PerfProcessor& processor, PerfGame& game, MonotonicTime left, FaultSampleBatch& samples);

  SampleMode m_mode;
  std::uint64_t m_lost = 0;
};

// PerfSamples: single faults of a game whose frames and counts come from elsewhere. Needs no privilege if the kernel
// lets users watch their own programs.
class PerfSamples {
 public:
  [[nodiscard]] static Result<PerfSamples> open(const WatchTarget& target, SampleMode mode);

  void collect(FaultSampleBatch& samples);
  [[nodiscard]] Quality quality() const { return m_faults.quality(m_game); }

 private:
  PerfSamples(PerfGame game, std::uint32_t pid, SampleMode mode)
      : m_game(std::move(game)), m_pid(pid), m_faults(mode) {}

  PerfGame m_game;
  std::uint32_t m_pid;
  WholeFaults m_faults;
  MonotonicTime m_left = MonotonicTime{Nanoseconds::max()};  // when the game executed another program
};

}  // namespace faultline

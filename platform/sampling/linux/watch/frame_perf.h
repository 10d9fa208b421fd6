// PerfFrames: the frames of a game that calls one of some functions at the end of each frame, by perf events of every
// fault and every call. Needs cap_perfmon, or no privilege if the kernel lets users watch their own programs.
#pragma once

#include <vector>

#include "core/culprits/fault_joiner.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/perf/game.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/linux/watch/perf_samples.h"
#include "platform/sampling/linux/watch/thread_polls.h"

namespace faultline {

class PerfFrames final : public FrameSource {
 public:
  // `functions` in order of preference; `whole`: why BPF programs, which measure more, do not watch the game.
  [[nodiscard]] static Result<std::unique_ptr<FrameSource>> open(WatchTarget target, const WatchOptions& options,
                                                                 const std::vector<ProbeFile>& functions,
                                                                 const Clock& clock, const Unavailable& whole = {});

  [[nodiscard]] Hello hello() const override;
  [[nodiscard]] bool helloChanged() override;
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  struct Told {
    std::optional<std::size_t> chosen;
    std::uint64_t misplaced = 0;
    bool full = false;

    bool operator==(const Told&) const = default;
  };

  PerfFrames(WatchTarget target, PerfGame game, const std::vector<ProbeFile>& functions, SampleMode samples,
             const Clock& clock);
  void drainFaults(PerfProcessor& processor);
  void drainCalls(PerfProcessor& processor);
  [[nodiscard]] GameState lookAround(MonotonicTime now);
  [[nodiscard]] Quality faultQuality() const;

  WatchTarget m_target;
  PerfGame m_game;
  std::vector<std::string> m_names;
  WholeFaults m_samples;
  ThreadPolls m_polls;
  Unavailable m_whole;
  const Clock& m_clock;
  Hello m_hello;  // the constant part
  FaultJoiner m_joiner;
  MonotonicTime m_begun;     // since then every thread has been watched
  MonotonicTime m_drained;   // start of the last collect(): all earlier events are known
  MonotonicTime m_lastSign;  // of life from the game
  MonotonicTime m_left = MonotonicTime{Nanoseconds::max()};  // when the game executed another program
  MonotonicTime m_toldAt;
  bool m_full = false;  // a ring had no room: the kernel tells how many faults it lost only with the processor's next
  Told m_told;
};

}  // namespace faultline

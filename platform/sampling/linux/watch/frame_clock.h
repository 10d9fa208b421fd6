// ClockedFrames: a game without marks, read from /proc/PID/stat at an assumed rate. A "frame" is the span between two
// reads: the kernel's counts are exact, but beginning and end are not those of the game's frames. A late read makes a
// longer frame, and no fault is lost.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/linux/watch/perf_samples.h"

namespace faultline {

// Of frames of an assumed length, without qualities but that of the faults, whose `how` is to be set.
[[nodiscard]] Hello assumedHello(const WatchTarget& target, Nanoseconds interval, std::uint32_t rate);

class ClockedFrames final : public FrameSource {
 public:
  struct Reading {
    MonotonicTime time;
    std::uint64_t minorFaults = 0;
    std::uint64_t majorFaults = 0;
  };

  // `whole`: why BPF programs, which measure more, do not watch the game. Single faults are sampled by perf events
  // where the kernel lets users watch their own programs.
  [[nodiscard]] static std::unique_ptr<FrameSource> open(WatchTarget target, const WatchOptions& options,
                                                         const Clock& clock, const Unavailable& whole);
  // Goes on after other frames, of which `hello` tells and `number` is the last. `last`: the process's faults at its
  // end. Opens nothing.
  [[nodiscard]] static std::unique_ptr<FrameSource> goOn(WatchTarget target, std::uint32_t rate, const Clock& clock,
                                                         const Unavailable& whole, Hello hello, std::uint64_t number,
                                                         std::optional<Reading> last);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  ClockedFrames(WatchTarget target, const Clock& clock, Hello hello, std::uint64_t number, std::optional<Reading> last)
      : m_target(std::move(target)), m_clock(clock), m_last(last), m_number(number), m_hello(std::move(hello)) {}
  [[nodiscard]] std::optional<Reading> read() const;

  WatchTarget m_target;
  const Clock& m_clock;
  std::optional<Reading> m_last;
  std::uint64_t m_number;
  Hello m_hello;
  std::optional<PerfSamples> m_samples;
};

}  // namespace faultline

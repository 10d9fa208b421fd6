// MarkedFrames: the frames of a game that uses resources/faultline_frame.h, with the counts that the game notes. The
// marks are in a memory file without a name, found among the game's open files. If possible, BPF programs add zeroed
// bytes, time inside faults, and single faults; else perf events may add single faults.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/marks/numbering.h"
#include "core/marks/pairing.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/linux/watch/bpf/programs.h"
#include "platform/sampling/linux/watch/perf_samples.h"
#include "platform/sampling/linux/watch/thread_polls.h"
#include "platform/sampling/records/frame_ring.h"

namespace faultline {

class MarkedFrames final : public FrameSource {
 public:
  // Waits for the first mark for `options.patience`.
  [[nodiscard]] static Result<std::unique_ptr<MarkedFrames>> open(WatchTarget target, const WatchOptions& options,
                                                                  const Clock& clock);
  // Adds the numbers of BPF programs, which need privileges, or single faults by perf events; hello() says why not.
  void measureMore(const WatchOptions& options);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] bool helloChanged() override;
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  MarkedFrames(WatchTarget target, FrameRing ring, unsigned mark, bool mayChange, const Clock& clock);
  void lookForMarks();
  void drain();
  [[nodiscard]] std::optional<Unavailable> lookOn(const WatchOptions& options);
  void describe(const WatchOptions& options);
  void measure(FaultSampleBatch& samples);
  void tellFaultsAfter(GameFrameBatch& batch) const;
  [[nodiscard]] GameState lookAround();

  WatchTarget m_target;
  FrameRing m_ring;
  unsigned m_mark;
  bool m_mayChange;        // no mark was asked for
  unsigned m_highest = 0;  // of the marks that have been seen
  const Clock& m_clock;
  Result<ProbeFile> m_noted;  // code that the game reaches with every noted frame
  std::unique_ptr<BpfWatch> m_watch;
  std::optional<PerfSamples> m_samples;
  ThreadPolls m_polls;  // where no BPF program measures
  std::vector<BpfMark> m_measured;
  MarkNumbering m_numbering;
  MarkPairing m_pairing;
  MarkJoiner m_joiner;
  MonotonicTime m_lastSign;  // of life from the game
  Hello m_hello;
  bool m_changed = false;
};

}  // namespace faultline

// MarkedFrames: the frames of a game that uses resources/faultline_frame.h, counts and all as the game itself notes
// them. The marks are memory without a name in the file system, found among the files that the game has open. Where BPF
// programs may look on as it notes them, they add zeroed bytes, time inside faults, and single faults.
#pragma once

#include <memory>
#include <vector>

#include "core/marks/numbering.h"
#include "core/marks/pairing.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/linux/watch/bpf/programs.h"
#include "platform/sampling/linux/watch/frame_ring.h"

namespace faultline {

class MarkedFrames final : public FrameSource {
 public:
  // Waits for the first mark as long as `options` say.
  [[nodiscard]] static Result<std::unique_ptr<MarkedFrames>> open(WatchTarget target, const WatchOptions& options,
                                                                  const Clock& clock);
  // From here on with what only the kernel knows, if that can be had; hello() says why not. Takes privileges.
  void measureMore(const WatchOptions& options);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override;

 private:
  MarkedFrames(WatchTarget target, FrameRing ring, unsigned mark, const Clock& clock);
  void drain();
  [[nodiscard]] std::optional<Unavailable> lookOn(const WatchOptions& options);
  void measure(FaultSampleBatch& samples);
  [[nodiscard]] GameState lookAround();

  WatchTarget m_target;
  FrameRing m_ring;
  unsigned m_mark;
  const Clock& m_clock;
  Result<ProbeFile> m_noted;  // where every noted frame comes by
  std::unique_ptr<BpfWatch> m_watch;
  std::vector<BpfMark> m_measured;
  MarkNumbering m_numbering;
  MarkPairing m_pairing;
  MarkJoiner m_joiner;
  MonotonicTime m_lastSign;  // of the game's life
  Hello m_hello;
};

}  // namespace faultline

// MarkedFrames: the frames of a game that uses resources/faultline_frame.h, with the only count of faults that Windows
// keeps for a process, minor and major together.
#pragma once

#include <memory>
#include <optional>

#include "core/marks/joiner.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/nt/fault_watch.h"
#include "platform/sampling/records/frame_ring.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class MarkedFrames final : public FrameSource {
 public:
  // Waits for the first mark for `options.patience`.
  [[nodiscard]] static Result<std::unique_ptr<FrameSource>> open(const WatchOptions& options, const Clock& clock);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] bool helloChanged() override;
  void collect(GameFrameBatch& frames, FaultSampleBatch& samples) override;

 private:
  MarkedFrames(UniqueHandle process, FrameRing ring, RingRecord first, const WatchOptions& options, const Clock& clock);
  void lookForMarks();
  void take(const RingRecord& record, GameFrameBatch& batch);

  UniqueHandle m_process;
  FrameRing m_ring;
  std::optional<RingRecord> m_first;  // not taken yet
  unsigned m_mark = 0;
  bool m_mayChange;  // no mark was asked for
  unsigned m_highest = 0;
  const Clock& m_clock;
  MarkJoiner m_joiner;
  std::uint64_t m_faults = 0;  // since the first mark; the game's count has 32 bits
  std::optional<std::uint32_t> m_lastCount;
  Hello m_hello;
  std::optional<FaultWatch> m_singleFaults;
  bool m_changed = false;
};

}  // namespace faultline

// GameSession: what a watching collector sends of one game, judged and summed up: the part that everything that shows
// frames shares. Frames are judged in their order; samples belong to the frame in whose time they lie, whenever they
// come, and are kept for those frames only that faults have hurt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/culprits/code_frame.h"
#include "core/culprits/culprits.h"
#include "core/frames/sample_keeper.h"
#include "core/frames/tally.h"
#include "core/stream/decoder.h"

namespace faultline {

struct SessionTotals {
  std::uint64_t lostFrames = 0;
  std::uint64_t nonsense = 0;     // marks that cannot be true
  std::uint64_t samples = 0;      // that came
  std::uint64_t lostSamples = 0;  // that were wanted and did not
  GameState state = GameState::Running;
};

class GameSession {
 public:
  static constexpr std::size_t kSampleBytes = std::size_t{16} << 20U;

  // `reader` learns of each sample when it comes; it may be none, and outlives this.
  explicit GameSession(const FrameRules& rules, StackReader* reader = nullptr, std::size_t sampleBytes = kSampleBytes);

  // What is not of a watched game is ignored, except a Hello without one: an error.
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  void setBudget(Nanoseconds budget);  // for the frames to come
  // The frames judged since the last call.
  [[nodiscard]] std::vector<JudgedFrame> drain();

  // Absent before the first Hello. It may change: the mark is known only when the first has come.
  [[nodiscard]] const std::optional<WatchedGame>& watched() const { return m_watched; }
  [[nodiscard]] const FrameRules& rules() const { return m_judge.rules(); }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] const SessionTotals& totals() const { return m_totals; }
  [[nodiscard]] bool ended() const { return m_ended; }
  // Of a flagged frame, in the order of their time; none where none came or there was no room. Valid until take().
  [[nodiscard]] std::span<const FaultSample> samplesOf(std::uint64_t frame) const { return m_samples.of(frame); }

  // For culprits of that frame: remembers what is kept of those before it, as that tells what is touched again.
  [[nodiscard]] CulpritSearch searchFor(std::uint64_t frame, StackReader* reader) const;

 private:
  [[nodiscard]] Result<void> take(const Hello& hello);
  void take(const GameFrameBatch& batch);
  void take(const FaultSampleBatch& batch);

  FrameJudge m_judge;
  StackReader* m_reader;
  SampleKeeper m_samples;
  FrameTally m_tally;
  SessionTotals m_totals;
  std::optional<WatchedGame> m_watched;
  std::vector<JudgedFrame> m_fresh;
  bool m_ended = false;
};

}  // namespace faultline

// GameSession: judges and sums up the stream of a collector that watches one game; shared by all views of frames.
// Frames are judged in order, the first ones as FrameJudge::take has it, or once the game rests. Where another
// collector goes on with the game, numbers of frames go on too, and losses add up. A sample belongs to the frame that
// contains its time, whenever it arrives; samples are kept only for flagged frames. A price of faults that is told only
// later judges all frames of the game again, unless there are more than a million of them: then it is not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/culprits/culprits.h"
#include "core/culprits/stack_frame.h"
#include "core/delay/study.h"
#include "core/frames/sample_keeper.h"
#include "core/frames/tally.h"
#include "core/model/frame_row.h"
#include "core/stream/decoder.h"

namespace faultline {

struct SessionTotals {
  std::uint64_t lostFrames = 0;
  std::uint64_t invalidMarks = 0;  // marks with impossible values
  std::uint64_t samples = 0;       // received
  std::uint64_t lostSamples = 0;   // not received
  std::uint64_t withoutStack = 0;  // of the received samples: the stack found no room, or could not be read
  std::uint64_t untimed = 0;       // frames without measured times, in a watch that measures them
  Nanoseconds unseen{0};           // between the frames of a collector and those of the next one
  SampleEvidence evidence{};       // of the flagged frames, what samples there are
  std::uint64_t unseenFrames = 0;  // in that time, by their usual duration: an estimate
  GameState state = GameState::Running;
  std::optional<std::uint64_t> faultsAfter{};  // of a game that has exited: faults after its last frame
};

class GameSession {
 public:
  static constexpr std::size_t kSampleBytes = std::size_t{32} << 20U;
  static constexpr std::size_t kUnpricedBytes = std::size_t{32} << 20U;

  // `reader` is told of each sample on arrival; may be null, else must outlive this object. Numbers of frames go on
  // from those of `before`, which may be null.
  explicit GameSession(const FrameRules& rules, StackReader* reader = nullptr, std::size_t sampleBytes = kSampleBytes,
                       const GameSession* before = nullptr);

  // Ignores events that do not concern a watched game. Error: a Hello without a watched game.
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  void setBudget(Nanoseconds budget);  // applies to later frames
  void finish();                       // judges the frames that were held back: no more follow
  // The frames judged since the last call. After an event by which judgedAnew(): all frames of the game, once more.
  [[nodiscard]] std::vector<JudgedFrame> drain();
  // Since the last call the frames of the game were judged again: the number of frames of earlier games, which were
  // not.
  [[nodiscard]] std::optional<std::uint64_t> judgedAnew() { return std::exchange(m_anew, std::nullopt); }

  // Absent before the first Hello. Changes with a further Hello, for instance when the mark becomes known.
  [[nodiscard]] const std::optional<WatchedGame>& watched() const { return m_watched; }
  [[nodiscard]] std::uint64_t pageBytes() const { return m_pageBytes; }  // of its machine; 0: unknown
  [[nodiscard]] const FrameRules& rules() const { return m_judge.rules(); }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] const SessionTotals& totals() const { return m_totals; }
  // The cost of faults for the frames, where delays were added to them; absent if that is not known.
  [[nodiscard]] const DelayStudy& delays() const { return m_delays; }
  [[nodiscard]] std::optional<PaidShare> paid() const { return m_delays.paid(m_judge.paced()); }
  [[nodiscard]] bool paced() const { return m_judge.paced(); }
  [[nodiscard]] std::optional<UsualFrame> usualFrame() const { return m_judge.usual(); }
  [[nodiscard]] bool ended() const { return m_ended; }
  // Samples of a flagged frame in order of time; empty if there were none or no room for them.
  [[nodiscard]] std::vector<FaultSample> samplesOf(std::uint64_t frame) const { return m_samples.of(frame); }
  [[nodiscard]] std::size_t sampleCountOf(std::uint64_t frame) const { return m_samples.countOf(frame); }
  // The samples of this frame are not needed any more, but to detect memory that is touched again.
  void setUsed(std::uint64_t frame) { m_samples.setUsed(frame); }

  // A search for the culprits of a frame, on its path if it is late because of page faults, that already remembers the
  // latest of the kept samples of earlier frames, to detect memory that is touched again.
  [[nodiscard]] CulpritSearch searchFor(const JudgedFrame& judged, StackReader* reader) const;

 private:
  [[nodiscard]] Result<void> take(const Hello& hello);
  void take(const GameFrameBatch& batch);
  void take(const FaultSampleBatch& batch);
  void keep(const JudgedFrame& judged);
  void beginGame(const FrameRules& rules);
  void judgeAnew();
  void goOn();
  void noteGap(const GameFrameBatch& batch);

  // Totals of one collector.
  struct Losses {
    std::uint64_t frames = 0;
    std::uint64_t marks = 0;
    std::uint64_t samples = 0;
  };

  FrameJudge m_judge;
  StackReader* m_reader;
  SampleKeeper m_samples;
  DelayStudy m_delays;
  FrameTally m_tally;
  SessionTotals m_totals;
  Losses m_earlier, m_present;
  std::uint64_t m_numbers = 0;        // added to those of the present collector
  std::optional<GameFrame> m_newest;  // as the present collector told it
  std::optional<WatchedGame> m_watched;
  std::uint64_t m_pageBytes = 0;
  std::vector<JudgedFrame> m_fresh;
  PackedFrames m_unpriced{kUnpricedBytes};  // of this game, as long as no price of a fault is known
  bool m_priceless = false;                 // they had no room: it has none
  FrameTally m_earlierTally;                // of earlier games, as the next
  SampleEvidence m_earlierEvidence;
  std::uint64_t m_kept = 0;      // frames of this game
  std::uint64_t m_repeated = 0;  // of the next frames, those that are judged once more
  std::optional<std::uint64_t> m_anew;
  bool m_ended = false;
  unsigned m_emptyBatches = 0;  // in turn
  bool m_mayGap = false;        // a Hello has come: perhaps of another collector for the same game
};

}  // namespace faultline

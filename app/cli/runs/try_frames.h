// RunFrames: watches the frames of one run of `faultline-cli try --frames`. Its collector is a child of this process
// and no process of the run, so that the run's CPU time, memory and environment are the program's alone.
#pragma once

#include <optional>
#include <string>

#include "app/cli/frames/polled_game.h"
#include "core/frames/figures.h"
#include "core/frames/game_session.h"
#include "platform/host/trial/run.h"

namespace faultline {

struct FrameWishes {
  std::string mark;         // as in `faultline-cli frames --mark`
  Nanoseconds duration{0};  // after which the run ends; 0: when the program does
};

class RunFrames {
 public:
  RunFrames(const CommonOptions& common, const FrameWishes& wishes, PolledGame::Say say);
  RunFrames(const RunFrames&) = delete;
  RunFrames& operator=(const RunFrames&) = delete;

  [[nodiscard]] TrialWatch watch();  // refers to this object
  // After the run: waits for its last frames. Absent: no frame ended, see whyNone(). Error: the watch failed.
  [[nodiscard]] Result<std::optional<FrameFigures>> finish(const TrialSample& sample, const Interrupt& interrupt);
  [[nodiscard]] std::string whyNone() const;  // a sentence with a remedy
  [[nodiscard]] const std::optional<WatchedGame>& watched() const { return m_session.watched(); }

 private:
  using Steady = std::chrono::steady_clock;

  void begin(std::uint32_t pid);
  [[nodiscard]] TrialWish step();
  [[nodiscard]] std::optional<Nanoseconds> pause() const;
  [[nodiscard]] std::optional<Nanoseconds> timeLeft() const;
  [[nodiscard]] Result<void> take(const StreamEvent& event);

  const CommonOptions& m_common;
  const FrameWishes& m_wishes;
  PolledGame::Say m_say;
  std::optional<PolledGame> m_game;
  GameSession m_session{FrameRules{}};
  FrameSum m_sum;
  bool m_assumed = false;  // no event ends frames
  std::optional<Error> m_failure;
};

}  // namespace faultline

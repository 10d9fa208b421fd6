// FrameWatch: what a watching collector sends, judged, put into files with its culprits, and summed up for a person.
// Frames go into the files a moment late, as samples may come later than the frame that they belong to.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/frames/files.h"
#include "app/cli/frames/report.h"
#include "app/cli/frames/watched_stacks.h"
#include "core/frames/game_session.h"

namespace faultline {

class FrameWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  FrameWatch(const FrameRules& rules, FrameFiles files);
  FrameWatch(const FrameWatch&) = delete;  // the session knows where the stacks lie
  FrameWatch& operator=(const FrameWatch&) = delete;

  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> finish();  // the files

  [[nodiscard]] std::optional<Time> started() const { return m_started; }  // the collector has found the game's marks
  [[nodiscard]] bool ended() const { return m_session.ended(); }
  [[nodiscard]] const FrameTally& tally() const { return m_session.tally(); }
  [[nodiscard]] bool readerGone() const { return m_files.readerGone(); }
  [[nodiscard]] bool exportsToStandardOutput() const { return m_files.toStandardOutput(); }

  void showProgress();  // one line on a terminal, a few times a second; nothing elsewhere
  void clearProgress();
  [[nodiscard]] std::vector<std::string> report() const;  // after finish()

 private:
  [[nodiscard]] Result<void> greet(const Hello& hello);
  [[nodiscard]] Result<void> writeUntil(MonotonicTime time);
  [[nodiscard]] Result<void> write(const JudgedFrame& judged);
  [[nodiscard]] Culprits culpritsOf(const JudgedFrame& judged);

  WatchedStacks m_stacks;
  GameSession m_session;
  FrameFiles m_files;
  std::deque<JudgedFrame> m_waiting;  // to be written
  FrameCulprits m_culprits;           // of the worst
  std::optional<Time> m_started;
  Time m_nextProgress;
  bool m_progressWanted;
  bool m_progressDrawn = false;
};

}  // namespace faultline

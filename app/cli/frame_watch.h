// FrameWatch: what a watching collector sends, judged, put into files, and summed up for a person.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/frame_files.h"
#include "core/frames/frame_tally.h"
#include "core/stream/decoder.h"

namespace faultline {

class FrameWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  FrameWatch(const FrameRules& rules, FrameFiles files);

  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> finish();  // the files

  [[nodiscard]] std::optional<Time> started() const { return m_started; }  // the collector has found the game's marks
  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] bool exportsToStandardOutput() const { return m_files.toStandardOutput(); }

  void showProgress();  // one line on a terminal, a few times a second; nothing elsewhere
  void clearProgress();
  [[nodiscard]] std::vector<std::string> report() const;

 private:
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] Result<void> take(const Hello& hello);
  [[nodiscard]] Result<void> take(const GameFrameBatch& batch);

  FrameJudge m_judge;
  FrameFiles m_files;
  FrameTally m_tally;
  WatchedGame m_watched;
  GameFrameBatch m_last;  // its totals and state; no frames
  std::optional<Time> m_started;
  Time m_nextProgress;
  bool m_progressWanted;
  bool m_progressDrawn = false;
  bool m_ended = false;
};

}  // namespace faultline

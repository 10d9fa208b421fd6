// FrameWatch: judges the frames sent by a watching collector, or read from a recording, writes them to files with their
// culprits, records them, and sums them up. Writes each frame up to 250 ms late, of a recording 10 s, because samples
// may arrive after their frame. A recording gets the samples that the culprits are found by, before the event by which
// their frame is written: to replay it finds the same culprits.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/frames/files.h"
#include "app/cli/frames/report.h"
#include "app/cli/frames/stream_record.h"
#include "app/cli/frames/watched_stacks.h"
#include "core/frames/game_session.h"

namespace faultline {

class FrameWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  FrameWatch(const FrameRules& rules, FrameFiles files, StreamRecord record = StreamRecord());
  FrameWatch(const FrameWatch&) = delete;  // m_session points to m_stacks
  FrameWatch& operator=(const FrameWatch&) = delete;

  // The events will come from a recording. Files get the frames that begin from `from` to `to` after the first.
  void replay(std::filesystem::path recording, Nanoseconds from, Nanoseconds to);
  // The words that started the game, for the advice.
  void setProgram(std::vector<std::string> words) { m_program = std::move(words); }

  [[nodiscard]] Result<void> take(const StreamEvent& event);
  [[nodiscard]] Result<void> finish();  // writes the rest and closes the files

  [[nodiscard]] std::optional<Time> started() const { return m_started; }  // when the first Hello came
  // How frames end; absent: unknown yet.
  [[nodiscard]] std::optional<FrameEnd> by() const {
    return m_session.watched() ? std::optional(m_session.watched()->by) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> firstNumber() const { return m_firstNumber; }  // of a frame
  [[nodiscard]] bool ended() const { return m_session.ended(); }
  [[nodiscard]] const FrameTally& tally() const { return m_session.tally(); }
  [[nodiscard]] bool readerGone() const { return m_files.readerGone(); }
  [[nodiscard]] bool exportsToStandardOutput() const { return m_files.toStandardOutput(); }

  void showProgress();  // one line, at most 5 times a second; nothing if standard error is no terminal
  void clearProgress();
  [[nodiscard]] std::vector<std::string> report() const;  // after finish()
  [[nodiscard]] const StreamRecord& record() const { return m_record; }

 private:
  [[nodiscard]] Result<void> judge(const StreamEvent& event);
  void noteSamples(const FaultSampleBatch& batch);
  [[nodiscard]] MonotonicTime complete() const;
  [[nodiscard]] Result<void> onHello(const Hello& hello);
  [[nodiscard]] Result<void> writeUntil(MonotonicTime time);
  [[nodiscard]] Result<void> beginAnew(bool all);
  [[nodiscard]] ExportedGame exportedGame() const;
  [[nodiscard]] Result<void> write(const JudgedFrame& judged);
  [[nodiscard]] Culprits culpritsOf(const JudgedFrame& judged);

  std::vector<std::string> m_program;                // empty: not known
  std::optional<std::filesystem::path> m_recording;  // that is replayed
  Nanoseconds m_from = Nanoseconds::min();
  Nanoseconds m_to = Nanoseconds::max();
  std::optional<MonotonicTime> m_first;  // start of the first frame
  std::optional<std::uint64_t> m_firstNumber;
  WatchedStacks m_stacks;
  GameSession m_session;
  FrameFiles m_files;
  StreamRecord m_record;
  std::deque<JudgedFrame> m_waiting;  // not written yet
  MonotonicTime m_newestSample;
  std::optional<Time> m_behindSince;   // events have queued
  std::vector<FaultSample> m_written;  // the samples of the frame that is written
  MonotonicTime m_writtenUntil;        // end of the last frame that was
  MonotonicTime m_recordedUntil;       // of frames that are written anew: their samples are recorded
  FrameCulprits m_culprits;            // of the worst frames
  std::optional<Time> m_started;
  Time m_nextProgress;
  bool m_progressWanted;
  bool m_progressDrawn = false;
};

}  // namespace faultline

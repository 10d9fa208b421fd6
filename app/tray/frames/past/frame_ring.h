// FrameRing: keeps the frames of a watched game in a ring of two files, and of frames hit by faults samples with their
// call stacks by name. Writes what has come some times a second, so that a killed program loses less than half a
// second.
#pragma once

#include <QPointer>
#include <QTimer>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>

#include "app/tray/frames/game_watch.h"
#include "app/tray/frames/recent.h"
#include "core/recording/writer.h"

namespace faultline {

struct FrameRingLimits {
  Nanoseconds time = std::chrono::minutes(10);  // of a file
  std::uint64_t bytes = std::uint64_t{8} << 20U;
  std::chrono::milliseconds gathered = std::chrono::milliseconds(250);  // before it is written
  std::chrono::milliseconds again = std::chrono::minutes(1);            // after a failure to write
};

class FrameRing : public QObject {
  Q_OBJECT
 public:
  // The frames that come from now on; also those that came last before the watch ends.
  FrameRing(const GameWatch& watch, const FrameRingLimits& limits);
  ~FrameRing() override;

  // The file is made with the first frame. Empty: no frame is kept any more, and the files are removed.
  void keepIn(const std::filesystem::path& file);
  [[nodiscard]] bool holds() const { return m_begun; }  // frames, in its files
  [[nodiscard]] bool closed() const { return m_watch.isNull(); }
  [[nodiscard]] bool over() const { return closed() || m_watch->over(); }

 Q_SIGNALS:
  void begun();
  void failed(const QString& sentence);  // nothing is kept for a while

 private:
  void take(const StreamEvent& event);
  void notice();
  void readStacks();
  void write();
  [[nodiscard]] Result<void> written();
  [[nodiscard]] Result<void> begin();

  QPointer<const GameWatch> m_watch;  // null: its window was closed
  FrameRingLimits m_limits;
  std::filesystem::path m_file;  // empty: nothing is kept
  Hello m_hello;                 // the last one
  std::optional<RecordingWriter> m_writer;
  MonotonicTime m_turned;  // when the first frame of the present file began
  bool m_begun = false;
  bool m_holds = false;              // the present file has frames
  GameFrameBatch m_frames;           // not written yet
  FaultSampleBatch m_samples;        // the same
  std::uint64_t m_noticed = 0;       // place after the last frame seen by notice()
  std::deque<std::uint64_t> m_hurt;  // places of frames whose samples may still come
  UnreadSamples m_unread;
  std::uint64_t m_leftOut = 0;  // samples that came faster than their call stacks are read
  QTimer m_writing;             // active while something is to be written
  QTimer m_reading;             // the same of call stacks
  QTimer m_again;               // active after a failure
};

}  // namespace faultline

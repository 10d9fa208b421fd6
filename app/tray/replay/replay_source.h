// ReplaySource: reads a recording in short slices of the event loop, so that the window never freezes.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/recording/overview.h"
#include "core/recording/recording.h"

namespace faultline {

class ReplaySource : public QObject {
  Q_OBJECT
 public:
  explicit ReplaySource(QObject* parent = nullptr);

  // `overview`: a long recording is first read in passes that skip snapshots.
  [[nodiscard]] Result<void> open(const QString& fileName, bool overview = false);
  void cancel();  // finished() follows at once

  [[nodiscard]] double progress() const;  // 0 to 1, by bytes, of the reading that skips nothing
  [[nodiscard]] bool skips() const { return m_overview.has_value(); }  // in this pass
  // Of the whole recording, if its end tells them, of one that is read in passes.
  [[nodiscard]] const std::optional<std::vector<Spike>>& spikes() const { return m_spikes; }
  // A sentence if the recording is truncated, damaged or cancelled; else empty. Valid after finished().
  [[nodiscard]] QString trouble() const { return m_trouble; }
  [[nodiscard]] QString fileName() const { return m_fileName; }
  [[nodiscard]] quint64 snapshots() const { return m_reader ? m_reader->snapshots() : 0; }

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot, std::optional<faultline::Nanoseconds> step);  // as Skimmed has it
  void passed();  // the whole recording has been read; all of it follows from its beginning, with less skipped
  void ofGame(const faultline::StreamEvent& event);  // frames of a game, and samples of their faults
  void finished();

 private:
  void readSlice();
  void readNext();
  void skimNext();
  void finish(const QString& trouble);

  QString m_fileName;
  std::optional<RecordingFile> m_reader;
  std::optional<Overview> m_overview;
  std::optional<std::vector<Spike>> m_spikes;
  QTimer m_slice;
  QString m_trouble;
  bool m_done = false;
};

inline constexpr int kSliceMs = 12;
inline constexpr std::uint64_t kLongRecording = std::uint64_t{4} << 20U;  // bytes; a shorter one is read in no time

}  // namespace faultline

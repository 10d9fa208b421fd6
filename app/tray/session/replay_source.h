// ReplaySource: reads a recording in short slices of the event loop, so that the window never freezes.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/recording/recording.h"

namespace faultline {

class ReplaySource : public QObject {
  Q_OBJECT
 public:
  explicit ReplaySource(QObject* parent = nullptr);

  [[nodiscard]] Result<void> open(const QString& fileName);
  void cancel();  // finished() follows at once

  [[nodiscard]] double progress() const;  // 0 to 1, by bytes
  // A sentence if the recording is truncated, damaged or cancelled; else empty. Valid after finished().
  [[nodiscard]] QString trouble() const { return m_trouble; }
  [[nodiscard]] QString fileName() const { return m_fileName; }
  [[nodiscard]] quint64 snapshots() const { return m_reader ? m_reader->snapshots() : 0; }

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void ofGame(const faultline::StreamEvent& event);  // frames of a game, and samples of their faults
  void finished();

 private:
  void readSlice();
  void finish(const QString& trouble);

  QString m_fileName;
  std::optional<RecordingFile> m_reader;
  QTimer m_slice;
  QString m_trouble;
  bool m_done = false;
};

inline constexpr int kSliceMs = 12;

}  // namespace faultline

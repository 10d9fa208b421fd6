// ReplaySource: reads a recording in slices short enough for the event loop, so that a window on it never freezes.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QObject>
#include <QTimer>
#include <optional>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/stream/decoder.h"

namespace faultline {

class ReplaySource : public QObject {
  Q_OBJECT
 public:
  explicit ReplaySource(QObject* parent = nullptr);

  [[nodiscard]] Result<void> open(const QString& fileName);
  void cancel();  // finished() follows at once

  [[nodiscard]] bool done() const { return m_done; }
  [[nodiscard]] double progress() const;  // 0 to 1, by bytes
  // What is wrong with the recording (cut, damaged, cancelled), as a sentence; empty if nothing is.
  [[nodiscard]] QString trouble() const { return m_trouble; }
  [[nodiscard]] QString fileName() const { return m_file.fileName(); }
  [[nodiscard]] quint64 snapshots() const { return m_snapshots; }

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void finished();

 private:
  void readSlice();
  bool readMore();  // false at the end of the file
  void damaged(const Error& error);
  void finish(const QString& trouble);

  QFile m_file;
  QByteArray m_buffer;
  Decoder m_decoder;
  QTimer m_slice;
  QString m_trouble;
  QString m_damage;
  std::optional<std::size_t> m_pendingAtError;
  bool m_ended = false;
  quint64 m_snapshots = 0;
  bool m_done = false;
};

inline constexpr int kSliceMs = 12;

}  // namespace faultline

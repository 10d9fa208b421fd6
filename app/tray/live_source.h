// LiveSource: a collector as a child process. Drains its pipe; when it dies or falls silent, starts it again after
// growing pauses (1 s to 30 s) and tells why in a sentence.
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <chrono>

#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/stream/decoder.h"

namespace faultline {

class LiveSource : public QObject {
  Q_OBJECT
 public:
  explicit LiveSource(QObject* parent = nullptr);
  ~LiveSource() override;

  // Where the collector lies beside this program; empty when it is missing.
  [[nodiscard]] static QString findCollector();

  // Stops what ran before. An empty `program` is looked for, also at each new attempt. `silence` is how long a living
  // collector may send nothing.
  void start(const QString& program, const QStringList& arguments, std::chrono::milliseconds silence);
  void stop();

  // Empty while all is well; otherwise why there is no data and when it is tried again.
  [[nodiscard]] QString trouble() const;

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void troubleChanged();

 private:
  void launch();
  void kill();
  void readOutput();
  void decode();
  void readErrors();
  void processEnded();
  void lose(const QString& reason);
  void waited();

  QString m_program;
  QStringList m_arguments;
  QProcess m_process;
  Decoder m_decoder;
  QByteArray m_buffer;
  QByteArray m_errors;  // the end of what it wrote to stderr
  QString m_reason;
  QTimer m_silence;
  QTimer m_second;  // ticks while waiting to try again
  int m_waitSeconds = 0;
  int m_nextWaitSeconds = 1;
  QElapsedTimer m_sinceLaunch;
};

}  // namespace faultline

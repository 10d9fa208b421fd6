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
#include "platform/host/collector_choice.h"

namespace faultline {

class LiveSource : public QObject {
  Q_OBJECT
 public:
  // `folder`: the collector is there or in ../libexec. Empty: the granted one, or that beside this program.
  explicit LiveSource(const QString& folder, QObject* parent = nullptr);
  ~LiveSource() override;

  // Stops what ran before. `silence` is how long a living collector may send nothing.
  void start(const QStringList& arguments, std::chrono::milliseconds silence);
  void stop();
  // Tells the collector, this one and each later one, whether somebody looks. Somebody does until told otherwise.
  void attend(bool active);

  // The one that was started last.
  [[nodiscard]] const CollectorChoice& collector() const { return m_collector; }

  // Empty while all is well; otherwise why there is no data and when it is tried again.
  [[nodiscard]] QString trouble() const;

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void troubleChanged();

 private:
  void launch();
  void passOnAttention();
  void kill();
  void readOutput();
  void decode();
  void readErrors();
  void processEnded();
  void lose(const QString& reason);
  void waited();

  QString m_folder;
  QStringList m_arguments;
  CollectorChoice m_collector;
  QProcess m_process;
  Decoder m_decoder;
  QByteArray m_buffer;
  QByteArray m_errors;  // the end of what it wrote to stderr
  bool m_active = true;
  QString m_reason;
  QTimer m_silence;
  QTimer m_second;  // ticks while waiting to try again
  int m_waitSeconds = 0;
  int m_nextWaitSeconds = 1;
  QElapsedTimer m_sinceLaunch;
};

}  // namespace faultline

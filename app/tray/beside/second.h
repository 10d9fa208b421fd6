// SecondRecording: a recording that is read to be shown beside the one of the session, in short slices of the event
// loop and in half of the memory. What it has so far is shown at once, as the session does.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <memory>

#include "app/tray/replay/opened_recording.h"
#include "core/base/result.h"
#include "core/monitor/monitor.h"

namespace faultline {

class SecondRecording : public QObject {
  Q_OBJECT
 public:
  explicit SecondRecording(QObject* parent = nullptr);

  [[nodiscard]] Result<void> open(const QString& file);

  // Always the same object.
  [[nodiscard]] const Monitor& monitor() const { return m_monitor; }
  [[nodiscard]] QString file() const { return m_recording.source.fileName(); }
  [[nodiscard]] bool read() const { return m_read; }  // all of it
  [[nodiscard]] std::optional<Nanoseconds> averages() const { return m_recording.averages; }
  void layCloseUp(std::unique_ptr<History::CloseUp> closeUp);
  [[nodiscard]] QString remark(const QString& name) const;  // how far it has been read, or what is wrong with it

 Q_SIGNALS:
  void changed();                        // at most ten times per second, and at the end
  void failed(const QString& sentence);  // there is no snapshot; the last signal

 private:
  [[nodiscard]] Monitor emptyMonitor() const;
  void ingest(const Snapshot& snapshot, std::optional<Nanoseconds> skipped);
  void passed();
  void finished();

  OpenedRecording m_recording;
  Monitor m_monitor;
  bool m_read = false;
  QElapsedTimer m_sinceChanged;
};

}  // namespace faultline

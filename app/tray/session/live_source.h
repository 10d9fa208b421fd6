// LiveSource: a SweepClient whose collectors are QProcesses, driven by the event loop.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/tray/session/collector_process.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/watch/sweep_client.h"

namespace faultline {

class LiveSource : public QObject, private SweepClientOwner {
  Q_OBJECT
 public:
  explicit LiveSource(const QString& folder, QObject* parent = nullptr);  // as CollectorProcess has it

  // Stops the previous collector. `silence`: longest time that a living collector may send nothing.
  void start(const SweepRequest& request, Nanoseconds silence);
  void stop();
  // Tells the present and all later collectors whether a user is looking (default: yes).
  void attend(bool active);

  [[nodiscard]] const CollectorChoice& collector() const { return m_collector.choice(); }  // of the last start
  [[nodiscard]] QString trouble() const { return QString::fromStdString(m_client.trouble()); }

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void troubleChanged();

 private:
  Result<void> startCollector(const std::vector<std::string>& arguments) override {
    return m_collector.start(arguments);
  }
  void endCollector() override { m_collector.end(); }
  void take(const StreamEvent& event) override;
  void noteTrouble() override { Q_EMIT troubleChanged(); }
  void passOnAttention() { m_collector.write(m_active ? '+' : '-'); }
  void advance() { wakeAt(m_due, m_client.due()); }

  CollectorProcess m_collector;
  SweepClient m_client;
  bool m_active = true;
  QTimer m_due;
};

}  // namespace faultline

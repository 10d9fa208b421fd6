// LiveSource: a SweepClient whose collectors are QProcesses, driven by the event loop.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <utility>

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
  // `elevated`: the user wants it to have an administrator's rights, and is asked. A collector that this client
  // starts by itself, because the first has ended, has none: nobody is asked without a wish.
  void start(const SweepRequest& request, Nanoseconds silence, bool elevated = false);
  void stop();
  // Tells the present and all later collectors whether a user is looking (default: yes).
  void attend(bool active);
  void watch(bool watching);  // the same: whether a game is watched (default: no)
  [[nodiscard]] bool watching() const { return m_watching; }

  [[nodiscard]] const CollectorChoice& collector() const { return m_collector.choice(); }  // of the last start
  [[nodiscard]] bool elevated() const { return m_elevated; }                               // the present one
  [[nodiscard]] QString trouble() const { return QString::fromStdString(m_client.trouble()); }

 Q_SIGNALS:
  void hello(const faultline::Hello& hello);
  void snapshot(const faultline::Snapshot& snapshot);
  void troubleChanged();

 private:
  Result<void> startCollector(const std::vector<std::string>& arguments) override {
    m_elevated = std::exchange(m_wantsElevated, false);
    return m_collector.start(arguments, m_elevated);
  }
  void endCollector() override { m_collector.end(); }
  void take(const StreamEvent& event) override;
  void noteTrouble() override { Q_EMIT troubleChanged(); }
  void passOnAttention() { m_collector.write(m_active ? '+' : '-'); }
  void passOnWatching() { m_collector.write(m_watching ? '>' : '<'); }
  void advance() { wakeAt(m_due, m_client.due()); }

  CollectorProcess m_collector;
  SweepClient m_client;
  bool m_active = true;
  bool m_watching = false;
  bool m_wantsElevated = false;  // the next one
  bool m_elevated = false;
  QTimer m_due;
};

}  // namespace faultline

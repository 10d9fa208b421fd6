// GameProcess: a GameClient whose collectors are QProcesses, driven by the event loop.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "app/tray/session/collector_process.h"
#include "core/watch/game_client.h"
#include "platform/host/mark_finder.h"

namespace faultline {

class GameProcess : public QObject, private GameClientOwner {
  Q_OBJECT
 public:
  using Take = std::function<Result<void>(const StreamEvent&)>;

  // `folder`: as CollectorProcess has it. `begin` is called for each choice, before its events come.
  GameProcess(const QString& folder, std::function<void()> begin, Take take, QObject* parent);

  void start(GameClientOptions options);  // or restarts
  void stop(const QString& why);

  [[nodiscard]] const GameClient* client() const { return m_client.get(); }  // null before the first start
  [[nodiscard]] bool grantable() const { return m_grantable; }  // a collector with privileges would measure more

 Q_SIGNALS:
  void advanced();  // after bytes, time or a collector's end: the client's state may have changed

 private:
  Result<void> startCollector(const std::vector<std::string>& arguments) override;
  void endCollector() override { m_collector.end(); }
  Result<void> take(const StreamEvent& event) override { return m_take(event); }
  void say(const std::string&) override {}
  void advance();

  std::function<void()> m_begin;
  Take m_take;
  bool m_synthetic = false;
  bool m_grantable = false;
  MarkFinder m_marks;
  std::unique_ptr<GameClient> m_client;
  CollectorProcess m_collector;
  QTimer m_due;
};

}  // namespace faultline

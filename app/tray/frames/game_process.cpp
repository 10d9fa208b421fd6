#include "app/tray/frames/game_process.h"

#include <utility>

#include "platform/host/costs/calibration_file.h"

namespace faultline {

GameProcess::GameProcess(const QString& folder, std::function<void()> begin, Take take, QObject* parent)
    : QObject(parent), m_begin(std::move(begin)), m_take(std::move(take)), m_collector(folder) {
  m_due.setSingleShot(true);
  connect(&m_due, &QTimer::timeout, this, [this] {
    m_client->onTime(steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::received, this, [this](std::span<const std::byte> bytes) {
    m_client->onBytes(bytes, steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::ended, this, [this](const CollectorEnd& end) {
    m_client->onCollectorEnd(end, steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::refused, this, &GameProcess::stop);
}

void GameProcess::start(GameClientOptions options) {
  endCollector();
  m_synthetic = options.synthetic;
  if (!m_synthetic) options.price = keptPrice;
  GameClientOwner& owner = *this;
  m_client = std::make_unique<GameClient>(owner, m_marks, std::move(options));
  m_client->begin(steadyNow());
  advance();
}

void GameProcess::stop(const QString& why) {
  if (!m_client || m_client->ended()) return;
  m_client->fail(why.toStdString());
  advance();
}

Result<void> GameProcess::startCollector(const std::vector<std::string>& arguments) {
  if (auto started = m_collector.start(arguments); !started) return started;
  m_grantable = !m_synthetic && !m_collector.choice().enable.empty();
  m_begin();
  return {};
}

void GameProcess::advance() {
  wakeAt(m_due, m_client->due());
  Q_EMIT advanced();
}

}  // namespace faultline

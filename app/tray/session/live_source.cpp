#include "app/tray/session/live_source.h"

#include "core/monitor/service_names.h"
#include "platform/host/processes.h"

namespace faultline {

LiveSource::LiveSource(const QString& folder, QObject* parent)
    : QObject(parent), m_collector(folder), m_client(*this, ServiceNames(serviceOfProcess)) {
  m_due.setSingleShot(true);
  connect(&m_due, &QTimer::timeout, this, [this] {
    m_client.onTime(steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::launched, this, [this] {
    if (!m_active) passOnAttention();
    if (m_watching) passOnWatching();
  });
  connect(&m_collector, &CollectorProcess::received, this, [this](std::span<const std::byte> bytes) {
    m_client.onBytes(bytes, steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::ended, this, [this](const CollectorEnd& end) {
    m_client.onCollectorEnd(end, steadyNow());
    advance();
  });
  connect(&m_collector, &CollectorProcess::refused, this, [this](const QString& why) {
    m_client.lose(why.toStdString(), steadyNow());
    advance();
  });
}

void LiveSource::start(const SweepRequest& request, Nanoseconds silence, bool elevated) {
  m_wantsElevated = elevated;
  m_client.begin(request, silence, steadyNow());
  advance();
}

void LiveSource::stop() {
  m_client.stop();
  advance();
}

void LiveSource::attend(bool active) {
  if (std::exchange(m_active, active) != active) passOnAttention();
}

void LiveSource::watch(bool watching) {
  if (std::exchange(m_watching, watching) != watching) passOnWatching();
}

void LiveSource::take(const StreamEvent& event) {
  if (const auto* shot = std::get_if<const Snapshot*>(&event)) Q_EMIT snapshot(**shot);
  else if (const auto* greeting = std::get_if<Hello>(&event)) Q_EMIT hello(*greeting);
}

}  // namespace faultline

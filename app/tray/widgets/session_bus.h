// The user's session bus, or in tests a bus by the name of its connection. Only with Qt D-Bus.
#pragma once

#include <QDBusConnection>
#include <QString>

namespace faultline {

inline QDBusConnection sessionBus(const QString& name) {
  return name.isEmpty() ? QDBusConnection::sessionBus() : QDBusConnection(name);
}

inline constexpr int kBusAnswerMs = 5000;

}  // namespace faultline

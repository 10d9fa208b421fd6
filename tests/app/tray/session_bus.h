// SessionBus: a session bus of the test's own.
#pragma once

#include <QDBusConnection>
#include <QProcess>
#include <QStandardPaths>

namespace faultline {

// Its address is empty where dbus-daemon is not installed.
struct SessionBus {
  SessionBus() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
    if (program.isEmpty()) return;
    daemon.start(program, {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
    if (!daemon.waitForReadyRead(10'000)) return;
    address = QString::fromUtf8(daemon.readLine()).trimmed();
  }
  ~SessionBus() {
    daemon.kill();
    daemon.waitForFinished();
  }
  [[nodiscard]] QDBusConnection connection(const char* name) const {
    return QDBusConnection::connectToBus(address, QLatin1StringView(name));
  }

  QProcess daemon;
  QString address;
};

}  // namespace faultline

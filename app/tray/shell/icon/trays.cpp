#include "app/tray/shell/icon/trays.h"

#include <QGuiApplication>
#include <QSystemTrayIcon>
#include <utility>
#ifdef QT_DBUS_LIB
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#endif

#include "platform/host/display.h"

namespace faultline {
namespace {

constexpr int kLookAgainMs = 2000;
#ifdef QT_DBUS_LIB
constexpr int kWatcherAnswerMs = 5000;

QString watcherName() {
  return QStringLiteral("org.kde.StatusNotifierWatcher");
}

QString watcherPath() {
  return QStringLiteral("/StatusNotifierWatcher");
}
#endif

// A tray that is not on the session bus. A build that cannot ask the X server asks Qt, which keeps 6 KB of each
// question once the session bus is gone.
bool hasOtherTray() {
  if (QGuiApplication::platformName() != QStringLiteral("xcb")) return QSystemTrayIcon::isSystemTrayAvailable();
  const std::optional<bool> onX = trayOnX();
  return onX ? *onX : QSystemTrayIcon::isSystemTrayAvailable();
}

}  // namespace

Trays::Trays(QObject* parent) : QObject(parent) {
  m_again.setInterval(kLookAgainMs);
  connect(&m_again, &QTimer::timeout, this, &Trays::lookAgain);
}

void Trays::start() {
  watchBus();
  m_again.start();
  lookAgain();
}

void Trays::watchBus() {
#ifdef QT_DBUS_LIB
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;  // libdbus aborts the program when Qt asks a dead bus for the owner of a name
  auto* owner = new QDBusServiceWatcher(watcherName(), bus, QDBusServiceWatcher::WatchForOwnerChange, this);
  connect(owner, &QDBusServiceWatcher::serviceOwnerChanged, this, &Trays::askPanel);
  for (const char* const news : {"StatusNotifierHostRegistered", "StatusNotifierHostUnregistered"})
    bus.connect(watcherName(), watcherPath(), watcherName(), QString::fromLatin1(news), this, SLOT(askPanel()));
#endif
}

void Trays::settle() {
  m_settled = m_busHasPanel && QSystemTrayIcon::isSystemTrayAvailable() ? Kind::Bus : Kind::Other;
}

void Trays::lookAgain() {
  if (m_settled == Kind::Other) look();
  else askPanel();
}

// The panel's watcher may come before the panel, and may be slow to answer.
void Trays::askPanel() {
#ifdef QT_DBUS_LIB
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) {  // a call would never be answered
    m_busHasPanel = false;
    return look();
  }
  QDBusMessage question = QDBusMessage::createMethodCall(
      watcherName(), watcherPath(), QStringLiteral("org.freedesktop.DBus.Properties"), QStringLiteral("Get"));
  question << watcherName() << QStringLiteral("IsStatusNotifierHostRegistered");
  question.setAutoStartService(false);
  auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(question, kWatcherAnswerMs), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
    const QDBusPendingReply<QVariant> has = *answer;
    m_busHasPanel = has.isValid() && has.value().toBool();
    answer->deleteLater();
    look();
  });
#else
  look();
#endif
}

// The session bus tells when a panel comes or goes; the X server is asked.
void Trays::look() {
  bool there = m_settled != Kind::Other && m_busHasPanel;
  if (m_settled == Kind::Other) there = hasOtherTray();
  else if (m_settled == Kind::None && !there) there = hasOtherTray();
  if (std::exchange(m_there, there) != there) Q_EMIT changed();
  if (m_settled == Kind::Bus && there) m_again.stop();
  else if (!m_again.isActive()) m_again.start();
}

}  // namespace faultline

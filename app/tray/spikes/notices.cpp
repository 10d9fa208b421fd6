#include "app/tray/spikes/notices.h"

#include <array>
#include <utility>
#ifdef QT_DBUS_LIB
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QStringList>
#include <QVariantMap>

#include "app/tray/widgets/session_bus.h"
#endif

namespace faultline {
namespace {

#ifdef QT_DBUS_LIB
constexpr std::size_t kMostShown = 100;  // a server need not say that it has closed a notification

struct Button {
  const char* key;
  Notices::Choice choice;
};
constexpr std::array kButtons{Button{"default", Notices::Choice::Show}, Button{"show", Notices::Choice::Show},
                              Button{"save", Notices::Choice::Save}, Button{"mute", Notices::Choice::Mute}};

QString service() {
  return QStringLiteral("org.freedesktop.Notifications");
}

QString path() {
  return QStringLiteral("/org/freedesktop/Notifications");
}

QDBusMessage call(const char* method) {
  return QDBusMessage::createMethodCall(service(), path(), service(), QLatin1StringView(method));
}

// Calls `then` with the answer, or `unable`.
template <class Answer>
void ask(QObject* asker, const QString& bus, const QDBusMessage& question, std::function<void(const Answer&)> then,
         std::function<void()> unable) {
  auto* answer = new QDBusPendingCallWatcher(sessionBus(bus).asyncCall(question, kBusAnswerMs), asker);
  QObject::connect(answer, &QDBusPendingCallWatcher::finished, asker,
                   [answer, then = std::move(then), unable = std::move(unable)] {
                     const QDBusPendingReply<Answer> reply = *answer;
                     answer->deleteLater();
                     if (reply.isValid()) then(reply.value());
                     else unable();
                   });
}
#endif

}  // namespace

#ifdef QT_DBUS_LIB

// Asks each time: another server may have taken the place of the one before.
void Notices::show(const Notification& notification, std::function<void()> unable) {
  if (!sessionBus(m_bus).isConnected()) return unable();
  listen();
  ask<QStringList>(
      this, m_bus, call("GetCapabilities"),
      [this, notification, unable](const QStringList& abilities) {
        if (!abilities.contains(QStringLiteral("actions"))) return unable();
        send(notification, abilities.contains(QStringLiteral("body-markup")), unable);
      },
      unable);
}

void Notices::listen() {
  if (std::exchange(m_listens, true)) return;
  QDBusConnection bus = sessionBus(m_bus);
  bus.connect(service(), path(), service(), QStringLiteral("ActionInvoked"), this, SLOT(invoked(uint, QString)));
  bus.connect(service(), path(), service(), QStringLiteral("NotificationClosed"), this, SLOT(closed(uint)));
}

void Notices::send(const Notification& notification, bool markup, const std::function<void()>& unable) {
  const QStringList actions{QStringLiteral("default"), QString(),  QStringLiteral("show"), tr("Show"),
                            QStringLiteral("save"),    tr("Save"), QStringLiteral("mute"), tr("Mute")};
  QDBusMessage notify = call("Notify");
  notify << QStringLiteral("Faultline") << uint(0) << QStringLiteral("faultline") << notification.title
         << (markup ? notification.text.toHtmlEscaped() : notification.text) << actions
         << QVariantMap{{QStringLiteral("desktop-entry"), QStringLiteral("faultline")}} << -1;
  ask<uint>(
      this, m_bus, notify,
      [this, notification](uint id) {
        while (m_shown.size() >= kMostShown) m_shown.erase(m_shown.begin());
        m_shown[id] = notification;
      },
      unable);
}

void Notices::invoked(uint id, const QString& action) {
  const auto shown = m_shown.find(id);
  if (shown == m_shown.end()) return;  // of another program
  const Notification notification = shown->second;
  for (const Button& button : kButtons)
    if (action == QLatin1StringView(button.key)) return Q_EMIT chosen(notification, button.choice);
}

void Notices::closed(uint id) {
  m_shown.erase(id);
}

#else

void Notices::show(const Notification& /*notification*/, std::function<void()> unable) {
  unable();
}

void Notices::invoked(uint /*id*/, const QString& /*action*/) {}

void Notices::closed(uint /*id*/) {}

#endif

}  // namespace faultline

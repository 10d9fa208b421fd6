#include "app/tray/session/global_key.h"

#include <QCoreApplication>
#include <utility>
#ifdef QT_DBUS_LIB
#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QList>

#include "app/tray/widgets/session_bus.h"
#endif

#ifdef QT_DBUS_LIB
struct Shortcut {
  QString name;
  QVariantMap words;
};
Q_DECLARE_METATYPE(Shortcut)

static QDBusArgument& operator<<(QDBusArgument& to, const Shortcut& shortcut) {
  to.beginStructure();
  to << shortcut.name << shortcut.words;
  to.endStructure();
  return to;
}

static const QDBusArgument& operator>>(const QDBusArgument& from, Shortcut& shortcut) {
  from.beginStructure();
  from >> shortcut.name >> shortcut.words;
  from.endStructure();
  return from;
}
#endif

namespace faultline {

GlobalKey::GlobalKey(QString purpose, QObject* parent, QString bus)
    : QObject(parent), m_purpose(std::move(purpose)), m_bus(std::move(bus)) {}

GlobalKey::~GlobalKey() {
  end();
}

void GlobalKey::set(bool on) {
  if (std::exchange(m_on, on) == on) return;
  if (on) begin();
  else end();
}

void GlobalKey::refuse(const QString& why) {
  end();
  Q_EMIT refused(why);
}

void GlobalKey::ended() {
  m_session.clear();
  Q_EMIT refused(tr("The desktop has taken the key back."));
}

#ifdef QT_DBUS_LIB
namespace {

QString portal() {
  return QStringLiteral("org.freedesktop.portal.Desktop");
}

QString portalPath() {
  return QStringLiteral("/org/freedesktop/portal/desktop");
}

QString shortcuts() {
  return QStringLiteral("org.freedesktop.portal.GlobalShortcuts");
}

QString sessions() {
  return QStringLiteral("org.freedesktop.portal.Session");
}

QDBusMessage call(const char* method) {
  return QDBusMessage::createMethodCall(portal(), portalPath(), shortcuts(), QLatin1StringView(method));
}

}  // namespace

// The portal answers by a signal of an object whose path follows from the caller's name on the bus and its token.
static void listenToAnswer(QDBusConnection bus, const QString& token, QObject* receiver, const char* slot) {
  const QString sender = bus.baseService().mid(1).replace(u'.', u'_');
  bus.connect(portal(), portalPath() + QStringLiteral("/request/") + sender + u'/' + token,
              QStringLiteral("org.freedesktop.portal.Request"), QStringLiteral("Response"), receiver, slot);
}

void GlobalKey::begin() {
  QDBusConnection bus = sessionBus(m_bus);
  if (!bus.isConnected()) return refuse(tr("There is no session bus."));
  // Newer portals want the name of the desktop entry of a program that no sandbox names; older ones refuse the call.
  QDBusMessage name = QDBusMessage::createMethodCall(
      portal(), portalPath(), QStringLiteral("org.freedesktop.host.portal.Registry"), QStringLiteral("Register"));
  bus.asyncCall(name << QStringLiteral("faultline") << QVariantMap(), kBusAnswerMs);
  const QString token = QStringLiteral("faultline%1").arg(++m_begun);
  listenToAnswer(bus, token, this, SLOT(sessionAnswered(uint, QVariantMap)));
  QDBusMessage create = call("CreateSession");
  create << QVariantMap{{QStringLiteral("handle_token"), token}, {QStringLiteral("session_handle_token"), token}};
  auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(create, kBusAnswerMs), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
    answer->deleteLater();
    if (answer->isError() && m_on)
      refuse(tr("This desktop lends programs no keys: it has no org.freedesktop.portal.GlobalShortcuts."));
  });
}

void GlobalKey::sessionAnswered(uint code, const QVariantMap& results) {
  m_session = results.value(QStringLiteral("session_handle")).toString();
  if (!m_on) return end();
  if (code != 0 || m_session.isEmpty()) return refuse(tr("The desktop refused a key."));
  QDBusConnection bus = sessionBus(m_bus);
  bus.connect(portal(), portalPath(), shortcuts(), QStringLiteral("Activated"), this, SLOT(activated(QDBusMessage)));
  bus.connect(portal(), m_session, sessions(), QStringLiteral("Closed"), this, SLOT(ended()));
  const QString token = QStringLiteral("faultline_key%1").arg(m_begun);
  listenToAnswer(bus, token, this, SLOT(keyAnswered(uint, QVariantMap)));
  qDBusRegisterMetaType<Shortcut>();
  qDBusRegisterMetaType<QList<Shortcut>>();
  const QList<Shortcut> wanted{{QStringLiteral("save"), {{QStringLiteral("description"), m_purpose}}}};
  QDBusMessage bind = call("BindShortcuts");
  bind << QVariant::fromValue(QDBusObjectPath(m_session)) << QVariant::fromValue(wanted) << QString()
       << QVariantMap{{QStringLiteral("handle_token"), token}};
  bus.asyncCall(bind, kBusAnswerMs);
}

void GlobalKey::keyAnswered(uint code, const QVariantMap& results) {
  if (!m_on) return;
  if (code != 0) return refuse(tr("No key was chosen."));
  const auto given = qdbus_cast<QList<Shortcut>>(results.value(QStringLiteral("shortcuts")));
  Q_EMIT bound(given.isEmpty() ? QString()
                               : given.first().words.value(QStringLiteral("trigger_description")).toString());
}

// The signal may be of another program's key.
void GlobalKey::activated(const QDBusMessage& key) {
  const auto session = key.arguments().value(0).value<QDBusObjectPath>();
  if (m_on && session.path() == m_session) Q_EMIT pressed();
}

void GlobalKey::end() {
  if (m_session.isEmpty()) return;
  QDBusConnection bus = sessionBus(m_bus);
  bus.disconnect(portal(), portalPath(), shortcuts(), QStringLiteral("Activated"), this, SLOT(activated(QDBusMessage)));
  bus.disconnect(portal(), m_session, sessions(), QStringLiteral("Closed"), this, SLOT(ended()));
  bus.asyncCall(
      QDBusMessage::createMethodCall(portal(), std::exchange(m_session, {}), sessions(), QStringLiteral("Close")),
      kBusAnswerMs);
}

#else

void GlobalKey::begin() {
  auto key = HotKey::take();
  if (!key) return refuse(QString::fromStdString(key.error().message));
  m_held = std::move(*key);
  QCoreApplication::instance()->installNativeEventFilter(this);
  Q_EMIT bound(QString::fromUtf8(hotKeyName().data(), static_cast<qsizetype>(hotKeyName().size())));
}

void GlobalKey::end() {
  m_held.reset();
}

void GlobalKey::activated(const QDBusMessage& /*key*/) {}
void GlobalKey::sessionAnswered(uint /*code*/, const QVariantMap& /*results*/) {}
void GlobalKey::keyAnswered(uint /*code*/, const QVariantMap& /*results*/) {}

#endif

bool GlobalKey::nativeEventFilter(const QByteArray& /*type*/, void* message, qintptr* /*result*/) {
  if (!m_held || !m_held->pressed(message)) return false;
  Q_EMIT pressed();
  return true;
}

}  // namespace faultline

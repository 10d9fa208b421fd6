#include "app/tray/session/global_key.h"
#ifdef QT_DBUS_LIB
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusVirtualObject>
#include <QStringList>
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "tests/app/tray/session_bus.h"
#include "tests/app/tray/wait_until.h"

struct PortalKey {
  QString name;
  QVariantMap words;
};
Q_DECLARE_METATYPE(PortalKey)

static QDBusArgument& operator<<(QDBusArgument& to, const PortalKey& key) {
  to.beginStructure();
  to << key.name << key.words;
  to.endStructure();
  return to;
}

static const QDBusArgument& operator>>(const QDBusArgument& from, PortalKey& key) {
  from.beginStructure();
  from >> key.name >> key.words;
  from.endStructure();
  return from;
}

namespace faultline {
namespace {

const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");

// Stands for the desktop's portal.
struct Portal : QDBusVirtualObject {
  explicit Portal(const QDBusConnection& on) : bus(on) {
    qDBusRegisterMetaType<PortalKey>();
    qDBusRegisterMetaType<QList<PortalKey>>();
    REQUIRE(bus.registerVirtualObject(kPath, this, QDBusConnection::SubPath));
    REQUIRE(bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")));
  }
  ~Portal() override { bus.unregisterService(QStringLiteral("org.freedesktop.portal.Desktop")); }
  [[nodiscard]] QString introspect(const QString& /*path*/) const override { return {}; }

  bool handleMessage(const QDBusMessage& message, const QDBusConnection& from) override {
    asked << message.member();
    caller = message.service();
    if (message.member() == QStringLiteral("Close")) closed = message.path();
    if (message.member() == QStringLiteral("Register") || message.member() == QStringLiteral("Close"))
      return from.send(message.createReply());
    const QVariantMap options = qdbus_cast<QVariantMap>(message.arguments().last());
    const QString token = options.value(QStringLiteral("handle_token")).toString();
    const QString request = kPath + QStringLiteral("/request/") + caller.mid(1).replace(u'.', u'_') + u'/' + token;
    from.send(message.createReply(QVariant::fromValue(QDBusObjectPath(request))));
    QDBusMessage answer = QDBusMessage::createTargetedSignal(
        caller, request, QStringLiteral("org.freedesktop.portal.Request"), QStringLiteral("Response"));
    answer << (message.member() == refuses ? 1U : 0U);
    if (message.member() == QStringLiteral("CreateSession")) {
      session = kPath + QStringLiteral("/session/") + options.value(QStringLiteral("session_handle_token")).toString();
      answer << QVariantMap{{QStringLiteral("session_handle"), session}};
    } else {
      wanted = qdbus_cast<QList<PortalKey>>(message.arguments().at(1));
      for (PortalKey& key : wanted) key.words[QStringLiteral("trigger_description")] = QStringLiteral("Ctrl+Alt+R");
      answer << QVariantMap{{QStringLiteral("shortcuts"), QVariant::fromValue(wanted)}};
    }
    return from.send(answer);
  }

  void press(const QString& of) {
    QDBusMessage pressed = QDBusMessage::createTargetedSignal(
        caller, kPath, QStringLiteral("org.freedesktop.portal.GlobalShortcuts"), QStringLiteral("Activated"));
    pressed << QVariant::fromValue(QDBusObjectPath(of)) << QStringLiteral("save") << qulonglong(1) << QVariantMap();
    bus.send(pressed);
  }
  void end() {
    bus.send(QDBusMessage::createTargetedSignal(caller, session, QStringLiteral("org.freedesktop.portal.Session"),
                                                QStringLiteral("Closed")));
  }

  QDBusConnection bus;
  QString refuses;
  QStringList asked;
  QString caller;
  QString session;
  QString closed;
  QList<PortalKey> wanted;
};

struct Key {
  explicit Key(const char* bus) : key(QStringLiteral("Save"), nullptr, QString::fromLatin1(bus)) {
    QObject::connect(&key, &GlobalKey::pressed, [this] { ++pressed; });
    QObject::connect(&key, &GlobalKey::bound, [this](const QString& name) { bound << name; });
    QObject::connect(&key, &GlobalKey::refused, [this](const QString& why) { refused << why; });
  }

  GlobalKey key;
  int pressed = 0;
  QStringList bound;
  QStringList refused;
};

struct KeyFixture {
  KeyFixture() {
    if (bus.address.isEmpty()) SKIP("dbus-daemon does not run");
    portal.emplace(bus.connection("portal"));
    REQUIRE(bus.connection("app").isConnected());
  }
  ~KeyFixture() {
    portal.reset();
    QDBusConnection::disconnectFromBus(QStringLiteral("app"));
    QDBusConnection::disconnectFromBus(QStringLiteral("portal"));
  }

  SessionBus bus;
  std::optional<Portal> portal;
};

}  // namespace

TEST_CASE("A key of all programs is asked of the desktop, heard when it is pressed, and given back") {
  KeyFixture f;
  Key key("app");
  key.key.set(true);
  REQUIRE(waitUntil([&] { return key.bound.size() == 1; }));
  CHECK(f.portal->asked.join(u' ') == QStringLiteral("Register CreateSession BindShortcuts"));
  REQUIRE(f.portal->wanted.size() == 1);
  CHECK(f.portal->wanted.first().words.value(QStringLiteral("description")) == QStringLiteral("Save"));
  CHECK(key.bound.first() == QStringLiteral("Ctrl+Alt+R"));
  f.portal->press(f.portal->session + u'2');  // of another program
  f.portal->press(f.portal->session);
  REQUIRE(waitUntil([&] { return key.pressed == 1; }));
  key.key.set(true);
  key.key.set(false);
  REQUIRE(waitUntil([&] { return f.portal->closed == f.portal->session; }));
  f.portal->press(f.portal->session);
  key.key.set(true);
  REQUIRE(waitUntil([&] { return key.bound.size() == 2; }));
  f.portal->press(f.portal->session);
  REQUIRE(waitUntil([&] { return key.pressed == 2; }));
  CHECK(key.refused.isEmpty());
  f.portal->end();
  REQUIRE(waitUntil([&] { return key.refused.size() == 1; }));
  f.portal->press(f.portal->session);
  Key other("app");
  other.key.set(true);
  REQUIRE(waitUntil([&] { return other.bound.size() == 1; }));
  CHECK(key.pressed == 2);
}

TEST_CASE("A desktop that refuses a key, has none to lend, or has no session bus, is told") {
  KeyFixture f;
  for (const char* const call : {"CreateSession", "BindShortcuts"}) {
    f.portal->refuses = QLatin1StringView(call);
    Key key("app");
    key.key.set(true);
    REQUIRE(waitUntil([&] { return key.refused.size() == 1; }));
    CHECK(key.bound.isEmpty());
  }
  f.portal.reset();
  Key none("app");
  none.key.set(true);
  REQUIRE(waitUntil([&] { return none.refused.size() == 1; }));
  CHECK(none.refused.first().contains(QStringLiteral("GlobalShortcuts")));
  Key nowhere("no such bus");
  nowhere.key.set(true);
  CHECK(nowhere.refused.size() == 1);
}

}  // namespace faultline
#endif

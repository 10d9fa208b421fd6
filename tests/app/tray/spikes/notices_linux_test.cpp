#ifdef QT_DBUS_LIB
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QVariantMap>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/spikes/notices.h"
#include "tests/app/tray/session_bus.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

QString notifications() {
  return QStringLiteral("org.freedesktop.Notifications");
}

QString path() {
  return QStringLiteral("/org/freedesktop/Notifications");
}

struct Server : QDBusVirtualObject {
  explicit Server(const QDBusConnection& on) : bus(on) {
    REQUIRE(bus.registerVirtualObject(path(), this));
    REQUIRE(bus.registerService(notifications()));
  }
  ~Server() override { bus.unregisterService(notifications()); }
  [[nodiscard]] QString introspect(const QString& /*path*/) const override { return {}; }
  bool handleMessage(const QDBusMessage& message, const QDBusConnection& from) override {
    if (message.member() == QStringLiteral("GetCapabilities")) {
      from.send(message.createReply(QVariant(abilities)));
    } else {
      sent = message.arguments();
      if (refuses) from.send(message.createErrorReply(QStringLiteral("org.example.Full"), QStringLiteral("Full.")));
      else from.send(message.createReply(QVariant(uint(7))));
    }
    return true;
  }
  void press(uint id, const char* button) {
    QDBusMessage pressed = QDBusMessage::createSignal(path(), notifications(), QStringLiteral("ActionInvoked"));
    pressed << id << QString::fromLatin1(button);
    bus.send(pressed);
  }

  QDBusConnection bus;
  QStringList abilities{QStringLiteral("actions"), QStringLiteral("body"), QStringLiteral("body-markup")};
  bool refuses = false;
  QVariantList sent;
};

struct Shown {
  explicit Shown(const char* bus) : notices(nullptr, QString::fromLatin1(bus)) {
    QObject::connect(&notices, &Notices::chosen, [this](const Notification& spike, Notices::Choice choice) {
      chosen.emplace_back(spike.program, choice);
    });
  }
  void show() {
    notices.show(notification, [this] { ++unable; });
  }

  Notices notices;
  Notification notification{.title = QStringLiteral("ga<me"),
                            .text = QStringLiteral("2 < 3 & 4."),
                            .spike = 12,
                            .program = "ga<me",
                            .since = {}};
  int unable = 0;
  std::vector<std::pair<std::string, Notices::Choice>> chosen;
};

}  // namespace

TEST_CASE("A spike's notification has buttons where the desktop's server has them") {
  const SessionBus bus;
  if (bus.address.isEmpty()) SKIP("dbus-daemon does not run");
  Server server(bus.connection("server"));
  REQUIRE(bus.connection("app").isConnected());
  Shown shown("app");
  shown.show();
  REQUIRE(waitUntil([&] { return server.sent.size() == 8; }));
  CHECK(server.sent[3].toString() == QStringLiteral("ga<me"));
  CHECK(server.sent[4].toString() == QStringLiteral("2 &lt; 3 &amp; 4."));
  CHECK(server.sent[5].toStringList().join(QLatin1Char(',')) ==
        QStringLiteral("default,,show,Show,save,Save,mute,Mute"));
  for (const char* const button : {"show", "nonsense", "save", "mute", "default"}) server.press(7, button);
  server.press(8, "show");  // of another program
  REQUIRE(waitUntil([&] { return shown.chosen.size() >= 4; }));
  using Choice = Notices::Choice;
  std::vector<Choice> choices;
  for (const auto& [program, choice] : shown.chosen) {
    CHECK(program == "ga<me");
    choices.push_back(choice);
  }
  CHECK(choices == std::vector{Choice::Show, Choice::Save, Choice::Mute, Choice::Show});
  CHECK(shown.unable == 0);
  QDBusConnection::disconnectFromBus(QStringLiteral("app"));
  QDBusConnection::disconnectFromBus(QStringLiteral("server"));
}

TEST_CASE("A notification is shown without buttons where no server has them, or none answers") {
  const SessionBus bus;
  if (bus.address.isEmpty()) SKIP("dbus-daemon does not run");
  REQUIRE(bus.connection("app").isConnected());
  Shown shown("app");
  {
    Server server(bus.connection("server"));
    server.abilities = {QStringLiteral("body")};
    shown.show();
    REQUIRE(waitUntil([&] { return shown.unable == 1; }));
    CHECK(server.sent.isEmpty());
    server.abilities = {QStringLiteral("actions")};
    server.refuses = true;
    shown.show();
    REQUIRE(waitUntil([&] { return shown.unable == 2; }));
    CHECK(server.sent[4].toString() == shown.notification.text);  // the server reads no markup
  }
  shown.show();
  CHECK(waitUntil([&] { return shown.unable == 3; }));
  Shown nowhere("no such bus");
  nowhere.show();
  CHECK(nowhere.unable == 1);
  QDBusConnection::disconnectFromBus(QStringLiteral("app"));
  QDBusConnection::disconnectFromBus(QStringLiteral("server"));
}

}  // namespace faultline
#endif

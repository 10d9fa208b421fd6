#include <windows.h>

#include <QStringList>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/session/global_key.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;

namespace {

struct Listener {
  explicit Listener(GlobalKey& key) {
    QObject::connect(&key, &GlobalKey::pressed, [this] { ++pressed; });
    QObject::connect(&key, &GlobalKey::bound, [this](const QString& name) { bound << name; });
    QObject::connect(&key, &GlobalKey::refused, [this](const QString& why) { refused << why; });
  }

  int pressed = 0;
  QStringList bound;
  QStringList refused;
};

void press() {
  for (WPARAM number = 0; number < 10; ++number)  // of which one is the key's
    REQUIRE(::PostThreadMessageW(::GetCurrentThreadId(), WM_HOTKEY, number, 0) != 0);
}

}  // namespace

TEST_CASE("On Windows the key is heard from when it is switched on until it is switched off, and has one holder") {
  GlobalKey key(QStringLiteral("Save"));
  const Listener heard(key);
  key.set(true);
  if (!heard.refused.isEmpty()) SKIP(heard.refused.front().toStdString());  // another program of this session has it
  const QString name = QString::fromUtf8(hotKeyName().data(), static_cast<qsizetype>(hotKeyName().size()));
  CHECK(heard.bound == QStringList{name});
  press();
  CHECK(waitUntil([&] { return heard.pressed == 1; }));
  GlobalKey second(QStringLiteral("Save"));
  const Listener other(second);
  second.set(true);
  CHECK(other.bound.isEmpty());
  CHECK(other.refused == QStringList{QStringLiteral("Another program has the key %1.").arg(name)});
  key.set(false);
  press();
  CHECK_FALSE(waitUntil([&] { return heard.pressed > 1; }, 200));
  second.set(false);
  second.set(true);
  CHECK((other.bound == QStringList{name} || other.refused.size() == 2));
}

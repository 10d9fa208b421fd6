#include "app/tray/main_window.h"

#include <QApplication>
#include <QMenuBar>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

// On a collector that sends 20 snapshots and then waits.
struct Fixture {
  Fixture() {
    folder.write("stream", testStream(20, false, 1, 100));
    folder.collector("cat '" + folder.path().toUtf8() + "/stream'; exec sleep 60");
    window.show();
  }

  QList<QAction*> actions() {
    QList<QAction*> all;
    for (const QAction* menu : window.menuBar()->actions())
      for (QAction* action : menu->menu()->actions())
        if (!action->isSeparator()) all << action;
    return all;
  }

  QAction& action(const char* title) {
    for (QAction* each : actions())
      if (each->text().remove(QLatin1Char('&')).startsWith(QString::fromUtf8(title))) return *each;
    FAIL("no action " << title);
    throw 0;
  }

  [[nodiscard]] bool goLive() {
    session.startLive();
    return waitUntil([&] { return session.monitor().snapshots() == 20; });
  }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  SettingsStore settings{folder.path("settings.conf")};
  MainWindow window{session, settings};
};

}  // namespace

TEST_CASE("No two actions of the menus answer to the same keys or letter") {
  Fixture f;
  QSet<QString> keys;
  for (const QAction* action : f.actions()) {
    const QString key = action->shortcut().toString();
    if (key.isEmpty()) continue;
    INFO(action->text().toStdString());
    CHECK_FALSE(keys.contains(key));
    keys.insert(key);
  }
  for (const QAction* menu : f.window.menuBar()->actions()) {
    QSet<QChar> letters;
    for (const QAction* action : menu->menu()->actions()) {
      const qsizetype mark = action->text().indexOf(QLatin1Char('&'));
      if (mark < 0) continue;
      const QChar letter = action->text()[mark + 1].toLower();
      INFO(action->text().toStdString());
      CHECK_FALSE(letters.contains(letter));
      letters.insert(letter);
    }
  }
}

TEST_CASE("Pause in the menu ends the collector and is ticked while it lasts") {
  Fixture f;
  REQUIRE(f.goLive());
  CHECK_FALSE(f.action("Pause").isChecked());
  f.action("Pause").trigger();
  CHECK(f.session.state() == Session::State::Paused);
  CHECK(f.action("Pause").isChecked());
  f.action("Pause").trigger();
  CHECK(f.session.state() == Session::State::Starting);
}

TEST_CASE("What makes no sense just now cannot be chosen") {
  Fixture f;
  REQUIRE(f.goLive());
  CHECK_FALSE(f.action("Back to this machine").isEnabled());
  const QString recording = f.folder.path("past.faultline");
  f.folder.write("past.faultline", testStream(20, true, 2, 100));
  f.window.openRecording(recording);
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay; }));
  CHECK(f.action("Back to this machine").isEnabled());
  CHECK_FALSE(f.action("Pause").isEnabled());
  CHECK_FALSE(f.action("Record").isEnabled());
  f.action("Back to this machine").trigger();
  CHECK_FALSE(f.action("Back to this machine").isEnabled());
}

TEST_CASE("Closing the window hides it where a tray holds the program, and ends the program where none does") {
  Fixture f;
  const QSignalSpy quits(&f.window, &MainWindow::quitRequested);
  const QSignalSpy hides(&f.window, &MainWindow::hiddenToTray);
  f.window.setStaysInTray(true);
  f.window.close();
  CHECK(hides.size() == 1);
  CHECK(quits.empty());
  f.window.show();
  f.window.setStaysInTray(false);
  f.window.close();
  CHECK(quits.size() == 1);
}

}  // namespace faultline

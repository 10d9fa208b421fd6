#include "app/tray/session/recent_actions.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

struct Menu {
  Menu() {
    folder.write("stream", testStream(20, false));
    folder.collector("stream stream\nwait");
    actions.addFileActions(menu);
    window.show();
  }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  QWidget window;
  QString told;
  RecentActions actions{session, window, [this](const Result<QString>& saved) {
                          told = saved ? *saved : QString::fromStdString(saved.error().message);
                        }};
  QMenu menu;
};

}  // namespace

TEST_CASE("What just happened is saved to the file that the user names, and others are told of it") {
  Menu menu;
  QSignalSpy saving(&menu.actions, &RecentActions::saving);
  menu.actions.save(std::chrono::minutes(1));
  CHECK(menu.told == QStringLiteral("Nothing has been measured yet."));
  menu.session.startLive();
  REQUIRE(waitUntil([&] { return menu.session.monitor().snapshots() == 20; }));
  menu.told.clear();
  menu.actions.save(std::chrono::seconds(5));
  const QString file = menu.folder.path("saved.faultline");
  answerFile(file);
  REQUIRE(waitUntil([&] { return !menu.told.isEmpty(); }));
  CHECK(menu.told == QStringLiteral("Saved ") + file);
  CHECK(QFileInfo(file).size() > 100);
  REQUIRE(saving.size() == 1);
  CHECK(saving[0][0].value<MonotonicTime>() == testSnapshot(9).time);
  CHECK(saving[0][1].toString() == file);
}

TEST_CASE("The hour before a restart is in the menu, and told once") {
  Menu menu;
  QAction* const open = menu.menu.actions()[1];
  CHECK_FALSE(open->isVisible());
  CHECK(menu.actions.offer({}).isEmpty());
  EarlierPast past;
  past.file = QStringLiteral("/earlier.faultline");
  past.until = QDateTime({2026, 11, 28}, {10, 12});
  CHECK(menu.actions.offer(past).contains(QStringLiteral("before 2026-11-28 10:12, when Faultline ended")));
  CHECK(menu.actions.offer(past).isEmpty());
  CHECK(open->isVisible());
  QSignalSpy opened(&menu.actions, &RecentActions::opened);
  open->trigger();
  REQUIRE(opened.size() == 1);
  CHECK(opened[0][0].toString() == past.file);
  CHECK(menu.actions.offer({}).isEmpty());
  CHECK_FALSE(open->isVisible());
  past.restarted = QDateTime({2026, 11, 28}, {10, 14});
  CHECK(menu.actions.offer(past).startsWith(QStringLiteral("The machine was restarted at 2026-11-28 10:14.")));
  CHECK(open->text().contains(QStringLiteral("restart of 2026-11-28 10:14")));
}

TEST_CASE("The frames of earlier games are in a menu of their own, the newest first, and told once with the hour") {
  Menu menu;
  const QAction* const open = menu.menu.actions().last();
  CHECK_FALSE(open->isVisible());
  EarlierPast past;
  past.file = QStringLiteral("/earlier.faultline");
  past.until = QDateTime({2026, 11, 28}, {10, 12});
  const QDateTime today(QDate::currentDate(), {10, 14});
  const std::vector<EarlierFrames> frames{
      {.file = QStringLiteral("/new"), .game = QStringLiteral("Fire & Ice"), .until = today},
      {.file = QStringLiteral("/old"), .game = QStringLiteral("chess"), .until = QDateTime({2026, 1, 2}, {3, 4})}};
  const QString told = menu.actions.offer(past, frames);
  CHECK(told.contains(QStringLiteral("when Faultline ended")));
  CHECK(told.endsWith(QStringLiteral(" The frames of Fire & Ice until 10:14 are in the menu File.")));
  CHECK(menu.actions.offer(past, frames).isEmpty());
  CHECK(open->isVisible());
  const QList<QAction*> games = open->menu()->actions();
  REQUIRE(games.size() == 2);
  CHECK(games[0]->text() == QStringLiteral("Frames of Fire && Ice until 10:14"));
  CHECK(games[1]->text() == QStringLiteral("Frames of chess until 2026-01-02 03:04"));
  QSignalSpy opened(&menu.actions, &RecentActions::opened);
  games[1]->trigger();
  REQUIRE(opened.size() == 1);
  CHECK(opened[0][0].toString() == QStringLiteral("/old"));
  CHECK(menu.actions.offer(past, {}).isEmpty());
  CHECK_FALSE(open->isVisible());
}

}  // namespace faultline

#include "app/tray/shell/icon/tray_icon.h"

#include <QAction>
#include <QTextDocument>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;

namespace {

ProcessRow row(const char* name, std::uint64_t faults) {
  ProcessRow made;
  made.name = name;
  made.deltas.set(ProcessMetric::MinorFaults, faults);
  return made;
}

Moment momentOf(std::vector<ProcessRow> rows) {
  Moment moment;
  moment.gap = Gap::None;
  moment.interval = std::chrono::seconds(1);
  moment.rows = std::move(rows);
  return moment;
}

// A tray icon with a session whose collector sends 40 snapshots and then waits.
struct Fed {
  Fed() : session(Settings(), nullptr, folder.path()), icon(session) {
    folder.write("stream", testStream(40, false));
    folder.collector("stream stream\nwait");
  }

  TestFolder folder;
  Session session;
  TrayIcon icon;
};

}  // namespace

TEST_CASE("The tooltip names the worst three processes, worst first, and never becomes rich text") {
  const QString worst = worstProcesses(
      momentOf({row("idle", 0), row("a", 10), row("<b>bold</b>", 4000), row("c\nd", 300), row("e", 20)}), 3);
  const QStringList lines = worst.split(QLatin1Char('\n'));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].isEmpty());
  CHECK(lines[1].startsWith(QStringLiteral("<b>bold</b>")));
  CHECK(lines[2].contains(QStringLiteral("300/s")));
  CHECK(lines[3].startsWith(QStringLiteral("e ")));
  CHECK_FALSE(Qt::mightBeRichText(QStringLiteral("Faultline: 1 faults/s") + worst));
}

TEST_CASE("A quiet machine has no worst process") {
  CHECK(worstProcesses(momentOf({row("a", 0)}), 3).isEmpty());
}

TEST_CASE("The icon is hollow if paused, full if live, and redrawn only if it differs") {
  Fed fed;
  CHECK(fed.icon.shown().mode == IconMode::Hollow);
  fed.session.startLive();
  REQUIRE(waitUntil([&] { return fed.icon.shown().mode == IconMode::Live && fed.icon.shown().heights.back() > 0; }));
  CHECK(fed.icon.toolTip().startsWith(QStringLiteral("Faultline")));
  const quint64 before = fed.icon.redraws();
  for (int i = 0; i < 1000; ++i) Q_EMIT fed.session.ingested();  // always the same moment
  CHECK_FALSE(waitUntil([&] { return fed.icon.redraws() > before; }, 1200));
  fed.session.setPaused(true);
  REQUIRE(waitUntil([&] { return fed.icon.shown().mode == IconMode::Hollow; }));
  CHECK(fed.icon.redraws() == before + 1);
}

TEST_CASE("The icon is struck through while the collector is lost") {
  Fed fed;
  fed.folder.collector("exit 1");
  fed.session.startLive();
  CHECK(waitUntil([&] { return fed.icon.shown().mode == IconMode::Struck; }));
}

TEST_CASE("The icon is redrawn at most twice per second", "[slow]") {
  Fed fed;
  fed.session.startLive();
  REQUIRE(waitUntil([&] { return fed.session.monitor().snapshots() == 40; }));
  QElapsedTimer spent;
  spent.start();
  const quint64 before = fed.icon.redraws();
  bool paused = false;
  REQUIRE(waitUntil([&] {
    fed.session.setPaused(paused = !paused);
    return spent.hasExpired(2000);
  }));
  CHECK(fed.icon.redraws() - before <= static_cast<quint64>(spent.elapsed() / 500 + 1));
}

TEST_CASE("The menu follows the session and emits requests for the window") {
  Fed fed;
  QStringList asked;
  QObject::connect(&fed.icon, &TrayIcon::toggleWindowRequested, [&] { asked << QStringLiteral("toggle"); });
  QObject::connect(&fed.icon, &TrayIcon::quitRequested, [&] { asked << QStringLiteral("quit"); });
  const QList<QAction*> actions = fed.icon.menu().actions();
  const auto find = [&](const char* text) {
    for (QAction* action : actions)
      if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1StringView(text))) return action;
    FAIL("no entry " << text);
    return actions.front();
  };
  find("Show")->trigger();
  find("Quit")->trigger();
  CHECK(asked == QStringList{QStringLiteral("toggle"), QStringLiteral("quit")});
  fed.icon.setWindowVisible(true);
  find("Hide");
  fed.session.startLive();
  find("Pause")->trigger();
  CHECK(fed.session.state() == Session::State::Paused);
  fed.session.setPaused(false);
  CHECK_FALSE(find("Pause")->isChecked());
}

TEST_CASE("Without a tray the icon is not available") {
  Fed fed;
  fed.icon.start();
  CHECK(fed.icon.available() == QSystemTrayIcon::isSystemTrayAvailable());
  CHECK_FALSE(fed.icon.available());  // the offscreen platform has none
}

#include "app/tray/beside/beside.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QTest>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <memory>

#include "core/text/quantity.h"
#include "tests/app/tray/beside/two_recordings.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr ProcessKey kMake{7, 1'009'750'000'000};  // of the first

// The first recording on show: begins at 1000 s, "make" is started at 1009.75 s.
struct BesideFixture {
  explicit BesideFixture(const TestRun& first = {}) {
    beside.addFileActions(menu);
    beside.addViewActions(menu);
    QObject::connect(&beside, &Beside::failed, [this](const QString& sentence) { failures << sentence; });
    session.openRecording(folder.write("one.faultline", streamOf(first)));
    REQUIRE(waitUntil([&] { return session.state() == Session::State::Replay; }));
    beside.setData();
    plots->resize(800, 400);
    window.show();
    plots->show();
  }

  void open(const TestRun& second, const char* name = "two.faultline") {
    beside.open(folder.write(name, streamOf(second)));
    REQUIRE(waitUntil([&] { return beside.read() || !failures.isEmpty(); }));
  }

  [[nodiscard]] QAction& action(const char* words) {
    for (QMenu* each : {&menu, window.findChildren<QMenu*>().constLast()})
      for (QAction* action : each->actions())
        if (action->text().remove(QLatin1Char('&')).startsWith(QString::fromUtf8(words))) return *action;
    FAIL("no action " << words);
    throw 0;
  }

  // What the plot of faults says at an instant.
  [[nodiscard]] QString spokenAt(Nanoseconds instant) {
    view.setCursor(MonotonicTime{instant});
    plots->rebuildNow();
    QString spoken = plots->spoken().section(QLatin1Char(';'), 0, 0);
    return spoken.replace(QChar(0x202f), QLatin1Char(' '));
  }

  // "27 h" as the bar has it.
  [[nodiscard]] static QString length(Nanoseconds duration) {
    return QString::fromStdString(formatDuration(duration)).replace(QChar(0x202f), QLatin1Char(' '));
  }

  [[nodiscard]] QString words() { return beside.bar()->words().replace(QChar(0x202f), QLatin1Char(' ')); }

  [[nodiscard]] QString sums() {
    REQUIRE(waitUntil([&] { return !beside.bar()->sums().isEmpty(); }));
    QTest::qWait(300);  // longer than the bar waits for the view to rest
    return beside.bar()->sums().replace(QChar(0x202f), QLatin1Char(' ')).replace(QChar::Nbsp, QLatin1Char(' '));
  }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  Pins pins;
  TimeView view;
  QMainWindow window;
  PlotStack* plots = new PlotStack(session.monitor(), pins, view, &window);
  Beside beside{session, *plots, view, window};
  std::unique_ptr<BesideBar> bar{beside.bar()};
  QMenu menu;
  QStringList failures;
};

}  // namespace

TEST_CASE("A second recording of another day is aligned by start, and told so") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 27h});
  CHECK(f.failures.isEmpty());
  CHECK(f.beside.shift() == 950s);
  CHECK(f.words().toStdString() ==
        QStringLiteral("one.faultline beside two.faultline, aligned by start (two.faultline is %1 later)")
            .arg(f.length(27h))
            .toStdString());
  CHECK_FALSE(f.beside.bar()->isHidden());
  f.beside.align(Alignment::Clock);
  CHECK(f.beside.shift() == 950s + 3h);
  CHECK(f.words().contains(QStringLiteral("aligned by time of day (two.faultline is %1 later)").arg(f.length(24h))));
}

TEST_CASE("An earlier recording is aligned as a later one is") {
  BesideFixture f;
  f.open({.begin = 9000s, .wall = 500'000h - 2h});
  CHECK(f.beside.shift() == -8000s);
  CHECK(f.words().contains(QStringLiteral("two.faultline is %1 earlier").arg(f.length(2h))));
}

TEST_CASE("Recordings of the same time are aligned by it") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 10s});
  CHECK(f.beside.shift() == 960s);
  CHECK(f.words().contains(QStringLiteral("aligned by time of day (two.faultline is of the same time)")));
  CHECK(f.view.oldest() == MonotonicTime{1000s});
  CHECK(f.view.newest() == MonotonicTime{1000s + 10s + 59'500ms});
}

TEST_CASE("The start of the selected program is a mark") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 27h, .makeFrom = 60});
  f.beside.align(Alignment::Program);
  REQUIRE(f.failures.size() == 1);  // none is selected
  CHECK(f.failures[0].contains(QStringLiteral("Select a process first")));
  CHECK(f.beside.shift() == 950s);
  f.beside.setSubject(kMake);
  f.beside.align(Alignment::Program);
  CHECK(f.beside.shift() == 930s);
  CHECK(f.words().contains(QStringLiteral("aligned by the start of make")));
  f.beside.setSubject(ProcessKey{1, 1'000'000'000});  // "init" was there before
  f.beside.align(Alignment::Program);
  REQUIRE(f.failures.size() == 2);
  CHECK(f.failures[1].contains(QStringLiteral("init was not started while both recordings ran")));
  CHECK(f.beside.shift() == 930s);
}

TEST_CASE("Keys move the second recording by a part of the visible range, and another alignment undoes that") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 27h});
  f.view.showAll();
  f.view.setSpan(50s);
  f.action("Second recording to the right").trigger();
  CHECK(f.beside.shift() == 950'500ms);
  CHECK(f.words().contains(QStringLiteral("aligned by start, moved 500 ms to the right (two.faultline is %1 later)")
                               .arg(f.length(27h - 500ms))));
  f.action("Second recording far to the left").trigger();
  CHECK(f.beside.shift() == 945'500ms);
  CHECK(f.words().contains(QStringLiteral("moved 4.50 s to the left")));
  CHECK(f.view.span() == 50s);
  f.beside.align(Alignment::Start);
  CHECK(f.beside.shift() == 950s);
}

TEST_CASE("The plots have a line of the second recording, with its value and the difference at the pointer") {
  BesideFixture f;
  f.open({.snapshots = 60, .begin = 50s, .wall = 500'000h + 27h, .faults = 150});
  f.view.showAll();
  CHECK(f.spokenAt(1020s).contains(QStringLiteral("two.faultline 300/s (+100/s)")));
  CHECK(f.spokenAt(1005s).contains(QStringLiteral("two.faultline 0/s (+0/s)")));     // measured, and zero
  CHECK(f.spokenAt(1050s).contains(QStringLiteral("two.faultline not available")));  // a gap, where it has ended
  f.view.setCursor(std::nullopt);
  f.view.goLive();
  f.plots->rebuildNow();
  CHECK(f.plots->spoken().section(QLatin1Char(';'), 0, 0).contains(QStringLiteral("two.faultline not available")));
  f.beside.leave();
  f.plots->rebuildNow();
  CHECK_FALSE(f.plots->spoken().contains(QStringLiteral("two.faultline")));
}

TEST_CASE("Where the view is short, each sample of the second recording is on show, too, however old") {
  BesideFixture f({.snapshots = 9000});  // 75 minutes
  f.open({.snapshots = 9000, .begin = 50s, .wall = 500'000h + 27h, .makeFrom = 2010});
  f.view.setSpan(20s);
  f.view.goTo({2005s});
  CHECK(waitUntil([&] { return f.spokenAt(2005s + 500ms).contains(QStringLiteral("two.faultline 200/s")); }));
  CHECK(f.spokenAt(2005s - 500ms).contains(QStringLiteral("two.faultline 0/s")));
  f.beside.align(Alignment::Clock);  // three hours to the right
  f.view.goTo({2005s + 3h});
  CHECK(waitUntil([&] { return f.spokenAt(2005s + 3h + 500ms).contains(QStringLiteral("two.faultline 200/s")); }));
  CHECK(f.spokenAt(2005s + 3h - 500ms).contains(QStringLiteral("two.faultline 0/s")));
}

TEST_CASE("Of a followed process, the second line is that of the process with its name") {
  BesideFixture f;
  f.plots->follow(kMake);
  f.open({.begin = 50s, .wall = 500'000h + 27h, .faults = 150, .makeFrom = 40});
  f.view.showAll();
  CHECK(f.spokenAt(1030s).contains(QStringLiteral("two.faultline 300/s (+100/s)")));
  CHECK(f.spokenAt(1015s).contains(QStringLiteral("two.faultline not available")));  // not started yet
  f.plots->follow(ProcessKey{1, 1'000'000'000});
  CHECK(f.spokenAt(1015s).contains(QStringLiteral("two.faultline 0/s")));
}

TEST_CASE("The sums of the visible range are those of both, with their quality, and absent is not zero") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 27h, .faults = 150, .zeroing = true});
  f.view.showAll();
  const QString all = f.sums();
  INFO(all.toStdString());
  CHECK(all.contains(QStringLiteral(
      "(59.5 s, beside 59.5 s), all processes: page faults 9 900, beside 14 850 (4 950 more, 50 %), exact")));
  CHECK(all.contains(QStringLiteral("time in faults –, beside –, unavailable")));
  CHECK(all.contains(QStringLiteral("zeroed –, beside ≈ 58.0 MiB, unavailable, beside estimated")));
  f.beside.setSubject(ProcessKey{1, 1'000'000'000});
  CHECK(f.sums().contains(QStringLiteral("init: page faults 0, beside 0 (0 more), exact")));
  f.beside.setSubject(kMake);
  f.view.standAt({1004s});
  f.view.setSpan(4s);  // before it was started
  CHECK(f.sums().contains(QStringLiteral("make: page faults –, beside –, exact")));
}

TEST_CASE("A window lists the programs that differ most in the visible range") {
  BesideFixture f;
  f.open({.begin = 50s, .wall = 500'000h + 27h, .faults = 150});
  f.view.showAll();
  f.action("Where both").trigger();
  const auto* dialog = f.window.findChild<DifferencesDialog*>();
  REQUIRE(dialog != nullptr);
  const QString words = dialog->words().replace(QChar(0x202f), QLatin1Char(' '));
  CHECK(words.startsWith(QStringLiteral("In the visible range, one.faultline to two.faultline.")));
  CHECK(words.contains(QStringLiteral("make: 9 900 to 14 850, 4 950 more (50 %)")));
}

TEST_CASE("Leaving shows the first alone again, in the same place") {
  BesideFixture f;
  CHECK_FALSE(f.action("Leave the second").isEnabled());
  f.open({.snapshots = 400, .begin = 50s, .wall = 500'000h + 27h});
  CHECK(f.view.newest() == MonotonicTime{1199'500ms});
  f.view.setSpan(10s);
  f.view.standAt({1030s});
  CHECK(f.action("Leave the second").isEnabled());
  f.action("Leave the second").trigger();
  CHECK_FALSE(f.beside.shown());
  CHECK(f.beside.bar()->isHidden());
  CHECK(f.view.newest() == MonotonicTime{1059'500ms});
  CHECK(f.view.instant() == MonotonicTime{1030s});
  CHECK_FALSE(f.action("Leave the second").isEnabled());
}

TEST_CASE("Another recording on show, or this machine, has nothing beside it") {
  BesideFixture f;
  f.open({.begin = 50s});
  f.session.openRecording(f.folder.write("three.faultline", streamOf({})));
  REQUIRE(waitUntil([&] { return f.session.viewedFile() == QStringLiteral("three.faultline"); }));
  CHECK_FALSE(f.beside.shown());
  f.open({.begin = 50s});
  CHECK(f.action("Beside another recording").isEnabled());
  f.session.startLive();
  CHECK_FALSE(f.beside.shown());
  CHECK_FALSE(f.action("Beside another recording").isEnabled());
}

TEST_CASE("The second waits for the first, and comes beside no other") {
  BesideFixture f;
  const QString three = f.folder.write("three.faultline", streamOf({}));
  const QString two = f.folder.write("two.faultline", streamOf({.begin = 50s}));
  f.session.openRecording(three);
  f.beside.open(two, three);
  CHECK_FALSE(f.beside.shown());
  REQUIRE(waitUntil([&] { return f.beside.read(); }));
  CHECK(f.session.viewedFile() == QStringLiteral("three.faultline"));
  CHECK(f.words().startsWith(QStringLiteral("three.faultline beside two.faultline")));
}

TEST_CASE("A second file that is missing, or no recording, is told and leaves the first as it is") {
  BesideFixture f;
  const QStringList files{f.folder.path("absent"), f.folder.path(), f.folder.write("empty", {}),
                          f.folder.write("text", "Dear diary, today nothing faulted.\n")};
  for (const QString& file : files) {
    f.failures.clear();
    f.beside.open(file);
    REQUIRE(waitUntil([&] { return !f.failures.isEmpty(); }));
    CHECK_FALSE(f.beside.shown());
    CHECK(f.session.state() == Session::State::Replay);
  }
}

TEST_CASE("A second recording that is damaged or still grows is shown as far as it goes, with a remark") {
  BesideFixture f;
  QByteArray stream = streamOf({.snapshots = 1000, .begin = 50s, .wall = 500'000h + 27h});
  stream[stream.size() / 2] = static_cast<char>(~stream[stream.size() / 2]);
  f.beside.open(f.folder.write("damaged.faultline", stream));
  REQUIRE(waitUntil([&] { return f.beside.read(); }));
  CHECK(f.words().contains(QStringLiteral("of the recording is damaged")));
  f.open({.begin = 50s, .wall = 500'000h + 27h, .ended = false}, "grows.faultline");
  CHECK(f.words().contains(QStringLiteral("still being written")));
  CHECK(f.view.newest() == MonotonicTime{1059'500ms});
}

TEST_CASE("A recording may stand beside itself, and files of one name are told apart by their folders") {
  BesideFixture f;
  f.beside.open(f.folder.path("one.faultline"));
  REQUIRE(waitUntil([&] { return f.beside.read(); }));
  CHECK(f.beside.shift() == 0s);
  CHECK(f.words() == QStringLiteral("one.faultline beside one.faultline again, aligned by time of day "
                                    "(one.faultline again is of the same time)"));
  const TwoNames names =
      namesOf(QStringLiteral("/runs/monday/run.faultline"), QStringLiteral("/runs/tuesday/run.faultline"));
  CHECK(names.first == QStringLiteral("monday/run.faultline"));
  CHECK(names.second == QStringLiteral("tuesday/run.faultline"));
}

TEST_CASE("Two long recordings are read without blocking the event loop", "[slow]") {
  BesideFixture f;
  const QString one = f.folder.write("long.faultline", testStream(20'000, true, 50));
  const QString two = f.folder.write("longer.faultline", testStream(25'000, true, 50));
  CHECK(QFileInfo(two).size() > static_cast<qint64>(kLongRecording));
  f.session.openRecording(one);
  f.beside.open(two, one);
  REQUIRE(waitUntil([&] { return f.beside.shown(); }));
  f.view.showAll();
  std::clock_t longestTurn = 0;  // processor time, because other programs may run in between
  while (!f.beside.read() || f.session.state() != Session::State::Replay) {
    const std::clock_t begin = std::clock();
    QCoreApplication::processEvents();
    longestTurn = std::max(longestTurn, std::clock() - begin);
  }
  INFO("the longest turn of the event loop took " << longestTurn * 1000 / CLOCKS_PER_SEC << " ms");
  CHECK(longestTurn < CLOCKS_PER_SEC / 5);
  CHECK(f.session.monitor().history().newest() == testSnapshot(19'999).time);
  CHECK(f.view.newest() == testSnapshot(24'999).time);
}

}  // namespace faultline

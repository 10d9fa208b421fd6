#include "app/tray/shell/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "core/text/quantity.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

// On a collector that sends 20 snapshots and then waits.
struct Fixture {
  Fixture() {
    folder.write("stream", testStream(20, false, 1, 100));
    folder.collector("stream stream\nwait");
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

  // Answers the question for a file that the action asks; gives what the file then holds.
  QByteArray saved(const char* title, const char* name) {
    const QString path = folder.path(name);
    action(title).trigger();
    answerFile(path);
    (void)waitUntil([&] { return QFile::exists(path); });
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  [[nodiscard]] bool standing() const {
    for (const QLabel* label : window.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QStringLiteral("standing at"))) return true;
    return false;
  }

  [[nodiscard]] bool goLive() {
    session.startLive();
    return waitUntil([&] { return session.monitor().snapshots() == 20 && window.upToDate(); });
  }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  SettingsStore settings{folder.path("settings.conf")};
  MainWindow window{session, settings};
};

// Of one process, whose rate grows by 2000 faults per second with each snapshot.
QByteArray growingStream(unsigned snapshots) {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  append(encoder.hello(testHello()));
  for (unsigned i = 0; i < snapshots; ++i) {
    Snapshot snapshot = testSnapshot(i);
    snapshot.processes[0].values.set(ProcessMetric::MinorFaults, std::uint64_t{500} * i * (i + 1));
    append(encoder.snapshot(snapshot));
  }
  append(encoder.end());
  return bytes;
}

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

TEST_CASE("Actions that make no sense just now cannot be chosen") {
  Fixture f;
  REQUIRE(f.goLive());
  CHECK_FALSE(f.action("Back to this machine").isEnabled());
  const QString recording = f.folder.path("past.faultline");
  f.folder.write("past.faultline", testStream(20, true, 2, 100));
  f.window.openRecording(recording);
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay && f.window.upToDate(); }));
  CHECK(f.action("Back to this machine").isEnabled());
  CHECK_FALSE(f.action("Pause").isEnabled());
  CHECK(f.action("Record").isEnabled());  // what is measured behind it
  f.action("Back to this machine").trigger();
  CHECK_FALSE(f.action("Back to this machine").isEnabled());
}

TEST_CASE("Faultline's own CPU time is a figure of the present: a recording that stands still has none") {
  Fixture f;
  REQUIRE(f.goLive());
  const QLabel* own = nullptr;
  for (const QLabel* label : f.window.findChildren<QLabel*>())
    if (label->accessibleName() == QStringLiteral("Faultline's own CPU")) own = label;
  REQUIRE(own != nullptr);
  REQUIRE(waitUntil([&] {  // known after a second
    f.window.hide();
    f.window.show();
    return own->text() != QStringLiteral("–");
  }));
  f.folder.write("past.faultline", testStream(20, true, 2, 100));
  f.window.openRecording(f.folder.path("past.faultline"));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay && f.window.upToDate(); }));
  CHECK(own->text() == QStringLiteral("–"));
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

TEST_CASE("The menu zooms, goes back to live and to the whole machine, and finds the filter") {
  Fixture f;
  REQUIRE(f.goLive());
  auto& plots = *f.window.findChild<PlotStack*>();
  const auto& live = *[&]() -> QToolButton* {
    for (QToolButton* each : f.window.findChildren<QToolButton*>())
      if (each->text() == QStringLiteral("● live")) return each;
    return nullptr;
  }();
  const auto checked = [&](const char* range) {
    for (const QToolButton* each : f.window.findChildren<QToolButton*>())
      if (each->text() == QString::fromUtf8(range)) return each->isChecked();
    return false;
  };
  REQUIRE(checked("1 min"));
  f.action("Zoom out").trigger();
  CHECK_FALSE(checked("1 min"));
  f.action("Zoom in").trigger();  // into what there is
  QTest::keyClick(&plots, Qt::Key_Home);
  CHECK_FALSE(live.isChecked());
  f.action("Live").trigger();
  CHECK(live.isChecked());
  QTest::keyClick(&plots, Qt::Key_Home);
  QTest::keyClick(&plots, Qt::Key_Escape);
  CHECK(live.isChecked());

  Q_EMIT f.window.findChild<ProcessTable*>()->followRequested({100, 5});
  CHECK(plots.followed() == ProcessKey{100, 5});
  QTest::keyClick(&plots, Qt::Key_Home);
  QTest::keyClick(&plots, Qt::Key_Escape);  // one step at a time
  CHECK_FALSE(plots.followed());
  CHECK_FALSE(live.isChecked());
  Q_EMIT f.window.findChild<ProcessTable*>()->followRequested({100, 5});
  f.action("Whole machine").trigger();
  CHECK_FALSE(plots.followed());

  f.window.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&f.window));
  f.action("Filter processes").trigger();
  CHECK(f.window.findChild<ProcessTable*>()->findChild<QLineEdit*>()->hasFocus());
}

TEST_CASE("The menu exports the table, the visible time, the picture, and copies them") {
  Fixture f;
  REQUIRE(f.goLive());
  CHECK(f.saved("Snapshot to CSV", "table.csv").count('\n') == 2);
  CHECK(f.saved("Visible time range", "range.csv").count("worker") >= 19);
  CHECK(f.saved("Save picture", "plots.png").startsWith("\x89PNG"));
#ifdef QT_SVG_LIB
  CHECK(f.saved("Save picture", "plots.svg").contains("<svg"));
#endif
  f.action("Copy picture").trigger();
  CHECK(QApplication::clipboard()->image().width() > 300);
  f.action("Copy one-line summary").trigger();
  CHECK(QApplication::clipboard()->text().contains(QStringLiteral("faults")));
}

TEST_CASE("All that the window shows, saves and copies is of one instant") {
  Fixture f;
  f.folder.write("growing.faultline", growingStream(60));
  f.window.openRecording(f.folder.path("growing.faultline"));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay && f.window.upToDate(); }));
  CHECK(f.window.windowTitle() == QStringLiteral("growing.faultline – Faultline"));
  const auto figure = [&] {
    for (const QLabel* label : f.window.findChildren<QLabel*>())
      if (label->accessibleName() == QStringLiteral("minor faults/s")) return label->text();
    return QString();
  };
  auto& plots = *f.window.findChild<PlotStack*>();
  const auto& table = *f.window.findChild<QTableView*>();
  const auto& page = *f.window.findChild<PageNumbers*>();
  std::mt19937 random(20);
  for (int turn = 0; turn < 20; ++turn) {
    const unsigned sample = 2 + static_cast<unsigned>(random() % 57);
    Spike spike;
    const auto after = std::chrono::milliseconds(turn % 3 == 0 ? 0 : random() % 500);  // the sample
    spike.start = spike.peakTime = spike.end = testSnapshot(sample).time + after;
    spike.key = testSnapshot(sample).processes[0].key;
    f.window.goToSpike(spike);
    if (turn % 2 == 1) QTest::keyClick(&plots, turn % 4 == 1 ? Qt::Key_Plus : Qt::Key_Minus);
    plots.rebuildNow();
    const QString rate = QString::fromStdString(formatRate(2000.0 * sample));
    INFO("sample " << sample << ", " << figure().toStdString() << ", " << plots.spoken().toStdString());
    CHECK(figure() == rate);
    CHECK(table.model()->index(0, columnIndex(Column::MinorRate)).data().toString() == rate);
    CHECK(plots.spoken().contains(QStringLiteral("Faults") + QStringLiteral(", ")));
    CHECK(plots.spoken().contains(rate + QStringLiteral("/s")));
    CHECK(page.value(Column::MinorRate) == rate);
    const QByteArray row = f.saved("Snapshot to CSV", ("table" + std::to_string(turn) + ".csv").c_str());
    CHECK(row.contains(QByteArray::number(testSnapshot(sample).time.sinceEpoch.count())));
    f.action("Copy one-line summary").trigger();
    CHECK(QApplication::clipboard()->text().contains(rate + QStringLiteral(" minor faults/s")));
  }
  QTest::keyClick(&plots, Qt::Key_End);
  plots.rebuildNow();
  CHECK(figure() == QString::fromStdString(formatRate(2000.0 * 59)));
  CHECK(plots.spoken().contains(figure() + QStringLiteral("/s")));
}

TEST_CASE("What a hand chose in the averages of a long recording stays when all of it has been read", "[slow]") {
  Fixture f;
  f.folder.write("long.faultline", testStream(20'000, true, 50));
  f.window.openRecording(f.folder.path("long.faultline"));
  const MonotonicTime end = testSnapshot(19'999).time;
  REQUIRE(waitUntil([&] { return f.session.averages() && f.session.monitor().history().newest() == end; }));
  REQUIRE(waitUntil([&] { return f.window.upToDate(); }));
  const auto told = [&](const char* words) {
    for (const QLabel* label : f.window.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QString::fromUtf8(words))) return true;
    return false;
  };
  CHECK(told("Spikes are found when the whole recording has been read."));
  Spike spike;
  spike.start = spike.peakTime = spike.end = testSnapshot(10'000).time;
  spike.key = testSnapshot(0, 50).processes[7].key;
  f.window.goToSpike(spike);
  const auto& page = *f.window.findChild<PageNumbers*>();
  REQUIRE(f.standing());
  const QString rate = QString::fromStdString(formatRate(2000));
  CHECK(page.value(Column::MinorRate) == rate);
  f.action("Copy one-line summary").trigger();
  CHECK(f.window.statusBar()->currentMessage().endsWith(QStringLiteral(" · averages, as not all has been read")));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay && f.window.upToDate(); }));
  CHECK(f.standing());
  CHECK(page.value(Column::MinorRate) == rate);
  CHECK(told("No spikes so far."));
}

TEST_CASE("End goes to the last row in the table, and to live elsewhere") {
  Fixture f;
  f.folder.write("many.faultline", testStream(20, true, 40));
  f.window.openRecording(f.folder.path("many.faultline"));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay && f.window.upToDate(); }));
  auto& table = *f.window.findChild<QTableView*>();
  auto& plots = *f.window.findChild<PlotStack*>();
  f.window.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&f.window));
  Spike spike;
  spike.start = spike.peakTime = spike.end = testSnapshot(5).time;
  f.window.goToSpike(spike);
  table.setFocus();
  table.selectRow(0);
  QTest::keyClick(&table, Qt::Key_End);
  CHECK(table.currentIndex().row() == 39);
  CHECK(f.window.windowTitle() == QStringLiteral("many.faultline – Faultline"));
  CHECK(f.standing());
  QTest::keyClick(&table, Qt::Key_Home);
  CHECK(table.currentIndex().row() == 0);
  QTest::keyClick(&plots, Qt::Key_End);
  CHECK_FALSE(f.standing());
}

TEST_CASE("A recording is begun and ended in the menu, which says what it will do") {
  Fixture f;
  REQUIRE(f.goLive());
  (void)f.saved("Record to a file", "new.faultline");
  CHECK(f.session.recording());
  f.action("Stop recording").trigger();
  CHECK_FALSE(f.session.recording());
  CHECK(f.action("Record to a file").isEnabled());
  CHECK(QFile(f.folder.path("new.faultline")).size() > 0);
}

TEST_CASE("A dialog that the menu opens stops nothing: the data goes on behind it") {
  Fixture f;
  REQUIRE(f.goLive());
  f.action("Keys, words").trigger();
  f.action("About").trigger();
  CHECK(f.window.findChild<QTextBrowser*>()->isVisible());
  CHECK(f.window.findChild<QMessageBox*>()->isVisible());
  for (const QDialog* dialog : f.window.findChildren<QDialog*>()) CHECK_FALSE(dialog->isModal());
  const QSignalSpy settings(&f.window, &MainWindow::settingsRequested);
  const QSignalSpy quits(&f.window, &MainWindow::quitRequested);
  f.action("Settings").trigger();
  f.action("Quit").trigger();
  CHECK(settings.size() == 1);
  CHECK(quits.size() == 1);
}

TEST_CASE("The parts of the window keep the sizes that a hand gave them") {
  Fixture f;
  f.window.resize(780, 740);  // fits on the screen that there is: Qt would make it fit
  const auto splitter = [](const MainWindow& window, Qt::Orientation orientation) -> QSplitter& {
    for (QSplitter* each : window.findChildren<QSplitter*>())
      if (each->orientation() == orientation) return *each;
    throw 0;
  };
  splitter(f.window, Qt::Vertical).setSizes({300, 340});
  splitter(f.window, Qt::Horizontal).setSizes({400, 370});
  const QList<int> rows = splitter(f.window, Qt::Vertical).sizes();
  const QList<int> columns = splitter(f.window, Qt::Horizontal).sizes();
  f.window.rememberLayout();
  MainWindow again(f.session, f.settings);
  again.show();
  CHECK(splitter(again, Qt::Vertical).sizes() == rows);
  CHECK(splitter(again, Qt::Horizontal).sizes() == columns);
}

TEST_CASE("A recording of a game's frames is handed on for a window of its own, and the live view stays") {
  Fixture f;
  REQUIRE(f.goLive());
  QSignalSpy requests(&f.window, &MainWindow::frameRecordingRequested);
  const QString file = f.folder.write("game.faultline", gameStream({.ended = true, .recorded = true}));
  f.window.openRecording(file);
  REQUIRE(requests.size() == 1);
  CHECK(requests.front().front().toString() == file);
  CHECK(f.session.state() == Session::State::Live);
}

TEST_CASE("An error of opening stays until it is closed") {
  Fixture f;
  REQUIRE(f.goLive());
  auto& trouble = *f.window.findChild<TroubleBar*>();
  CHECK_FALSE(trouble.isVisible());
  f.folder.write("broken.faultline", "no recording");
  f.window.openRecording(f.folder.path("broken.faultline"));
  REQUIRE(waitUntil([&] { return trouble.isVisible(); }));
  CHECK(trouble.text().contains(QStringLiteral("broken.faultline")));
  f.window.statusBar()->showMessage(QStringLiteral("something else"));
  CHECK_FALSE(waitUntil([&] { return !trouble.isVisible(); }, 300));
  QTest::keyClick(f.window.findChild<PlotStack*>(), Qt::Key_Escape);
  CHECK_FALSE(trouble.isVisible());
  f.window.openRecording(f.folder.path("nowhere.faultline"));
  REQUIRE(waitUntil([&] { return trouble.isVisible(); }));
  f.folder.write("past.faultline", testStream(20, true, 2, 100));
  f.window.openRecording(f.folder.path("past.faultline"));  // the next attempt
  CHECK_FALSE(trouble.isVisible());
}

TEST_CASE("The window fits on the screen it comes to, its status bar too") {
  if (QFontDatabase::families().isEmpty()) SKIP("there are no fonts, and all letters are as wide as high");
  Fixture f;
  const QSize screen = f.window.screen()->availableSize();
  CHECK(f.window.height() < screen.height());
  CHECK(f.window.width() < screen.width());
  REQUIRE(f.goLive());
  CHECK(f.window.minimumSizeHint().height() <= 520);
  CHECK(f.window.minimumSizeHint().width() <= 980);
  f.window.resize(1000, 540);
  QApplication::processEvents();
  CHECK(f.window.height() == 540);
  const QWidget& status = *f.window.statusBar();
  CHECK(f.window.rect().contains(QRect(status.mapTo(&f.window, QPoint(0, 0)), status.size())));
}

TEST_CASE("A long state takes no more room than there is, and is told whole") {
  LineLabel label;
  const QString line = QStringLiteral("The collector cannot be started: ").repeated(9);
  label.resize(200, 20);
  label.setLine(line);
  CHECK(label.minimumSizeHint().width() <= 200);
  CHECK(label.text().size() < line.size());
  CHECK(label.accessibleName() == line);
}

TEST_CASE("Tab reaches every part of the window, and each shows that it has the focus") {
  Fixture f;
  REQUIRE(f.goLive());
  f.window.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&f.window));
  QSet<QWidget*> reached;
  for (int i = 0; i < 20; ++i) {
    QWidget* before = QApplication::focusWidget();
    const QImage without = f.window.grab().toImage();
    QTest::keyClick(before, Qt::Key_Tab);
    QWidget* now = QApplication::focusWidget();
    REQUIRE(now != before);
    INFO(now->metaObject()->className() << " " << now->accessibleName().toStdString());
    CHECK(f.window.grab(QRect(now->mapTo(&f.window, QPoint(0, 0)), now->size())).toImage() !=
          without.copy(QRect(now->mapTo(&f.window, QPoint(0, 0)), now->size())));
    reached.insert(now);
  }
  const auto isReached = [&](QWidget* widget) { return reached.contains(widget); };
  CHECK(isReached(f.window.findChild<PlotStack*>()));
  CHECK(isReached(f.window.findChild<ProcessTable*>()->findChild<QLineEdit*>()));
  CHECK(isReached(f.window.findChild<QCheckBox*>()));
  CHECK(isReached(f.window.findChild<QTableView*>()));
  CHECK(std::ranges::any_of(reached, [](QWidget* w) { return qobject_cast<QToolButton*>(w) != nullptr; }));
}

TEST_CASE("The status bar offers the permission in the words of the other windows") {
  Fixture f;
  const auto offered = [&] {
    for (const QToolButton* button : f.window.statusBar()->findChildren<QToolButton*>())
      if (button->isVisible() && button->text() == QStringLiteral("Needs a one-time permission · Set up…")) return true;
    return false;
  };
  (void)f.folder.write("faultline-grant", "");
  REQUIRE(f.goLive());
  CHECK(waitUntil(offered));
  f.window.openRecording(f.folder.path("stream"));
  CHECK(waitUntil([&] { return !offered(); }));
}

TEST_CASE("A click on a spike of just now stops time there, says so, and chooses its process") {
  Fixture f;
  REQUIRE(f.goLive());
  const Moment& now = f.session.monitor().now();
  Spike spike;
  spike.key = now.rows.back().key;
  spike.start = spike.peakTime = spike.end = now.time;
  f.window.goToSpike(spike);
  CHECK(f.standing());
  for (const QTableView* table : f.window.findChildren<QTableView*>()) {
    const QModelIndexList rows = table->selectionModel()->selectedRows(columnIndex(Column::Pid));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].data().toUInt() == spike.key.pid);
  }
  f.action("Live").trigger();
  CHECK_FALSE(f.standing());
}

TEST_CASE("All that a right click offers is in the menu bar, too") {
  Fixture f;
  for (const char* words : {"Pin", "Follow only this", "Watch frames", "Copy as CSV", "Copy name", "Columns",
                            "Show in the plots", "Select the process", "Mute all spikes", "Clear the list"})
    CHECK_FALSE(f.action(words).text().isEmpty());
}

}  // namespace faultline

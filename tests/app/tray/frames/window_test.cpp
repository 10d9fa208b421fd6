#include "app/tray/frames/window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/frames/bars/picture.h"
#include "app/tray/frames/windows.h"
#include "app/tray/frames/words.h"
#include "app/tray/trial/compare_dialog.h"
#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct Stage {
  explicit Stage(const GameStream& stream) : settings(folder.path("settings.conf")) {
    folder.write("stream", gameStream(stream));
    folder.collector("stream stream\nwait");
    window = std::make_unique<FramesWindow>(
        WatchedProcess{.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, settings, folder.path());
    window->show();
  }
  [[nodiscard]] bool settled(std::uint64_t frames) const {
    return waitUntil([&] {
      return window->watch().history().end() == frames && table().model()->rowCount() == static_cast<int>(frames / 50);
    });
  }
  template <class Widget>
  Widget& find() const {
    return *window->findChild<Widget*>();
  }
  [[nodiscard]] QTableView& table() const { return find<QTableView>(); }

  const TestFolder folder;
  SettingsStore settings;
  std::unique_ptr<FramesWindow> window;
};

}  // namespace

TEST_CASE("The worst frame is selected in table and bars alike, and its culprits are told") {
  Stage stage({});
  REQUIRE(stage.settled(200));
  stage.window->selectWorst();
  CHECK(stage.window->selected() == stage.window->watch().worst().rows().front().place);
  CHECK(stage.table().selectionModel()->selectedRows().size() == 1);
  CHECK(stage.window->view().live());
  REQUIRE(waitUntil([&] { return stage.window->culpritsShown(); }));
  const auto& culprits = *stage.find<CulpritPanel>().culprits();
  CHECK(culprits.lines.front().name == "Vertices::append (mesh.h:44)");
  CHECK(culprits.faults == 8192);
  auto& bars = stage.find<FrameBars>();
  QTest::keyClick(&bars, Qt::Key_Right, Qt::ShiftModifier);  // an ordinary frame, or none behind the last
  QTest::keyClick(&bars, Qt::Key_Left, Qt::ShiftModifier);
  QTest::keyClick(&bars, Qt::Key_Left, Qt::ShiftModifier);
  CHECK_FALSE(stage.window->culpritsShown());
  CHECK(stage.find<CulpritPanel>().whyNot().contains(QStringLiteral("did not delay")));
  CHECK(stage.table().selectionModel()->selectedRows().isEmpty());
}

TEST_CASE("A recording of a game is shown with its culprits, and without what only a live watch has") {
  const TestFolder folder;
  SettingsStore settings(folder.path("settings.conf"));
  const QString file = folder.write("game.faultline", gameStream({.ended = true, .recorded = true}));
  FramesWindow window(recordedProcess(file), settings);
  window.show();
  REQUIRE(waitUntil([&] { return window.watch().state() == GameWatch::State::Exited; }));
  CHECK(window.watch().history().end() == 200);
  CHECK(window.view().showsAll());
  CHECK(window.windowTitle().startsWith(QStringLiteral("Frames of game (4711), recorded until 20")));
  CHECK(window.windowTitle().endsWith(QStringLiteral(": game.faultline")));
  CHECK(window.watch().stateText() == QStringLiteral("A recording"));
  for (QComboBox* box : window.findChildren<QComboBox*>())
    CHECK(box->isVisible() == (box->accessibleName() == QStringLiteral("Budget of a frame")));
  const auto actions = window.findChildren<QAction*>();
  CHECK(std::ranges::none_of(actions, [](const QAction* action) { return action->text().contains(u"watching"); }));

  window.selectWorst();
  REQUIRE(waitUntil([&] { return window.culpritsShown(); }));
  const auto& culprits = *window.findChild<CulpritPanel*>()->culprits();
  CHECK(culprits.lines.front().name == "Vertices::append (mesh.h:44)");
  CHECK(culprits.faults == 8192);
  auto& bars = *window.findChild<FrameBars*>();
  bars.stepFlagged(1);
  CHECK(window.selected() == 99);
  CHECK(window.watch().tally().lateByFaults == 4);
}

TEST_CASE("A recording that is cut off is shown up to the cut, and says so; another file gives the reason") {
  const TestFolder folder;
  SettingsStore settings(folder.path("settings.conf"));
  const QByteArray bytes = gameStream({.recorded = true});
  const QString cut = folder.write("cut.faultline", bytes.chopped(3));
  FramesWindow window(recordedProcess(cut), settings);
  REQUIRE(waitUntil([&] { return window.watch().state() == GameWatch::State::Exited; }));
  CHECK(window.watch().stateText().startsWith(QStringLiteral("A recording: The recording is cut off")));
  const QString none = folder.write("none.faultline", "#!/bin/sh");
  FramesWindow refused(recordedProcess(none), settings);
  REQUIRE(waitUntil([&] { return refused.watch().state() == GameWatch::State::Failed; }));
  CHECK(refused.watch().stateText().contains(QStringLiteral("This is not a Faultline recording")));
  FramesWindow missing(recordedProcess(folder.path("missing.faultline")), settings);
  CHECK(missing.watch().state() == GameWatch::State::Failed);
}

TEST_CASE("A recording is opened in one window") {
  const TestFolder folder;
  SettingsStore settings(folder.path("settings.conf"));
  const QString file = folder.write("game.faultline", gameStream({.ended = true, .recorded = true}));
  FrameWindows windows(settings);
  FramesWindow* const first = windows.open(recordedProcess(file));
  CHECK(windows.open(recordedProcess(file)) == first);
  CHECK(windows.open(recordedProcess(folder.path("other.faultline"))) != first);
}

TEST_CASE("A game is watched while a window watches one, and no recording is") {
  const TestFolder folder;
  folder.write("stream", gameStream({}));
  folder.collector("stream stream\nwait");
  SettingsStore settings(folder.path("settings.conf"));
  FrameWindows windows(settings, folder.path());
  std::vector<bool> told;
  QObject::connect(&windows, &FrameWindows::watchingChanged, [&](bool watching) { told.push_back(watching); });
  const QString file = folder.write("game.faultline", gameStream({.ended = true, .recorded = true}));
  windows.open(recordedProcess(file));
  CHECK(told.empty());
  const auto open = [&](std::uint32_t pid) {
    return windows.open({.pid = pid, .name = QStringLiteral("game"), .synthetic = true});
  };
  FramesWindow* const first = open(1);
  FramesWindow* const second = open(2);
  CHECK(told == std::vector<bool>{true});
  delete first;
  CHECK(told == std::vector<bool>{true});
  delete second;
  CHECK(told == std::vector<bool>{true, false});
}

TEST_CASE("A frame that has only just come is selected in the table, too") {
  Stage stage({});
  REQUIRE(waitUntil([&] { return stage.window->watch().history().end() == 200; }));
  stage.window->select(199);
  CHECK(stage.table().selectionModel()->selectedRows().size() == 1);
}

TEST_CASE("Keys go from one frame hit by faults to the next") {
  Stage stage({});
  REQUIRE(stage.settled(200));
  auto& bars = stage.find<FrameBars>();
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 5; ++i) {
    bars.stepFlagged(-1);
    seen.push_back(*stage.window->selected());
  }
  CHECK(seen == std::vector<std::uint64_t>{199, 149, 99, 49, 49});
  bars.stepFlagged(1);
  CHECK(stage.window->selected() == 99);
}

TEST_CASE("A row of the table goes to its frame, and a picture that stands still stays where it is") {
  Stage stage({.frames = 5000});
  REQUIRE(stage.settled(5000));
  stage.window->view().setSpan(1s);
  REQUIRE(stage.window->view().live());
  stage.table().sortByColumn(static_cast<int>(FrameColumn::Number), Qt::AscendingOrder);
  stage.table().selectRow(0);
  CHECK(stage.window->selected() == 49);
  CHECK_FALSE(stage.window->view().live());
  const MonotonicTime from = stage.window->view().from();
  stage.find<FrameBars>().refresh();
  CHECK(stage.window->view().from() == from);
  QTest::keyClick(&stage.find<FrameBars>(), Qt::Key_End);
  CHECK(stage.window->view().live());
}

TEST_CASE("The worst frame comes into the picture by its key, too") {
  Stage stage({.frames = 5000});
  REQUIRE(stage.settled(5000));
  stage.window->view().setSpan(1s);
  QAction* worst = nullptr;
  for (QAction* action : stage.window->findChildren<QAction*>())
    if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+Home"))) worst = action;
  REQUIRE(worst);
  worst->trigger();
  const GameFrame frame = stage.window->watch().history().at(*stage.window->selected()).frame;
  CHECK(stage.window->view().from() <= frame.start);
  CHECK(stage.window->view().to() >= frame.start + frame.duration);
}

TEST_CASE("Tab reaches every part of the window of frames") {
  const Stage stage({});
  REQUIRE(stage.settled(200));
  stage.window->activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(stage.window.get()));
  QList<QWidget*> reached;
  for (int i = 0; i < 20; ++i) {
    QWidget* before = QApplication::focusWidget();
    QTest::keyClick(before, Qt::Key_Tab);
    REQUIRE(QApplication::focusWidget() != before);
    reached << QApplication::focusWidget();
  }
  CHECK(reached.contains(&stage.find<FrameBars>()));
  CHECK(reached.contains(&stage.table()));
  for (QComboBox* box : stage.window->findChildren<QComboBox*>())
    CHECK((reached.contains(box) || reached.contains(box->lineEdit())));
  const auto isButton = [](const QString& text) {
    return [text](QWidget* w) { return qobject_cast<QToolButton*>(w) && static_cast<QToolButton*>(w)->text() == text; };
  };
  CHECK(std::ranges::any_of(reached, isButton(QStringLiteral("Copy"))));
  CHECK(std::ranges::any_of(reached, isButton(QStringLiteral("● live"))));
}

TEST_CASE("Data that grows no more has an end, not a live") {
  const auto shows = [](const Stage& stage, const char* words) {
    const auto buttons = stage.window->findChildren<QToolButton*>();
    return std::ranges::any_of(buttons, [&](QToolButton* b) { return b->text() == QString::fromUtf8(words); });
  };
  const Stage running({});
  REQUIRE(running.settled(200));
  CHECK(shows(running, "● live"));
  const Stage over({.state = GameState::Exited, .ended = true});
  REQUIRE(over.settled(200));
  CHECK(over.window->watch().state() == GameWatch::State::Exited);
  CHECK(shows(over, "▸▏ end"));
  CHECK_FALSE(shows(over, "● live"));
}

TEST_CASE("The table's columns, their order and the parts of the window are remembered") {
  Stage stage({});
  auto& header = *stage.table().horizontalHeader();
  header.moveSection(0, 4);
  header.resizeSection(2, 123);
  header.hideSection(static_cast<int>(FrameColumn::Own));
  stage.table().sortByColumn(static_cast<int>(FrameColumn::Duration), Qt::AscendingOrder);
  stage.window->close();
  FramesWindow again(WatchedProcess{.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, stage.settings,
                     stage.folder.path());
  auto& table = *again.findChild<QTableView*>();
  CHECK(table.horizontalHeader()->visualIndex(0) == 4);
  CHECK(table.columnWidth(2) == 123);
  CHECK(table.isColumnHidden(static_cast<int>(FrameColumn::Own)));
  CHECK(table.horizontalHeader()->sortIndicatorSection() == static_cast<int>(FrameColumn::Duration));
  again.show();
  REQUIRE(waitUntil([&] { return table.model()->rowCount() == 4; }));
  CHECK(table.model()->index(0, 2).data(FrameModel::SortRole).toDouble() <=
        table.model()->index(3, 2).data(FrameModel::SortRole).toDouble());
}

TEST_CASE("The menu bar shows and hides the table's columns") {
  const Stage stage({});
  QMenu* columns = nullptr;
  for (QMenu* menu : stage.window->findChildren<QMenu*>())
    if (menu->title().remove(QLatin1Char('&')) == QStringLiteral("Columns")) columns = menu;
  REQUIRE(columns);
  const auto entry = [&]() -> QAction& {
    Q_EMIT columns->aboutToShow();
    for (QAction* action : columns->actions())
      if (action->text() == QStringLiteral("Faults")) return *action;
    throw 0;
  };
  const int faults = static_cast<int>(FrameColumn::Faults);
  CHECK(entry().isChecked());
  entry().trigger();
  CHECK(stage.table().isColumnHidden(faults));
  CHECK_FALSE(entry().isChecked());
  entry().trigger();
  CHECK_FALSE(stage.table().isColumnHidden(faults));
}

TEST_CASE("The budget is chosen from a list or typed, and remembered") {
  Stage stage({});
  REQUIRE(stage.settled(200));
  auto& budget = *stage.window->findChildren<QComboBox*>().front();
  REQUIRE(budget.isEditable());
  budget.lineEdit()->setText(QStringLiteral("3.5"));
  QTest::keyClick(budget.lineEdit(), Qt::Key_Return);
  CHECK(stage.window->watch().rules().budget == 3500us);
  CHECK(stage.settings.get().frameBudget == 3500us);
  CHECK(stage.window->watch().tally().late == 200);
  budget.lineEdit()->setText(QStringLiteral("much"));
  QTest::keyClick(budget.lineEdit(), Qt::Key_Return);
  CHECK(stage.window->watch().rules().budget == 3500us);
  CHECK(budget.currentText() == QStringLiteral("3.5 ms"));
}

TEST_CASE("A budget that is typed, but not confirmed, has no effect when the window ends") {
  Stage stage({});
  REQUIRE(stage.settled(200));
  REQUIRE(QTest::qWaitForWindowActive(stage.window.get()));
  const Nanoseconds before = stage.settings.get().frameBudget;
  auto* const line = stage.window->findChildren<QComboBox*>().front()->lineEdit();
  line->setFocus();
  REQUIRE(line->hasFocus());
  line->setText(QStringLiteral("3.5"));
  stage.window.reset();  // the line loses the focus after the window's own parts have ended
  CHECK(stage.settings.get().frameBudget == before);
}

TEST_CASE("Keys and the wheel choose nothing in closed boxes: they move the picture") {
  Stage stage({.frames = 5000});
  REQUIRE(stage.settled(5000));
  stage.window->view().setSpan(1s);
  const auto boxes = stage.window->findChildren<QComboBox*>();
  REQUIRE(boxes.size() == 4);
  const Nanoseconds budget = stage.window->watch().rules().budget;
  const SampleMode stacks = stage.window->watch().stacks();
  for (QComboBox* box : boxes) {
    const int chosen = box->currentIndex();
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_End, Qt::Key_Left, Qt::Key_Right})
      QTest::keyClick(box, key);
    QTest::keyClicks(box, QStringLiteral("e"));
    QWheelEvent wheel({5, 5}, box->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(box, &wheel);
    CHECK(box->currentIndex() == chosen);
    QTest::keyClick(box, Qt::Key_Down);  // opens the list
    CHECK(box->currentIndex() == chosen);
    box->hidePopup();
  }
  CHECK(stage.window->watch().rules().budget == budget);
  CHECK(stage.window->watch().stacks() == stacks);
  QTest::keyClick(boxes.back(), Qt::Key_Home);
  CHECK_FALSE(stage.window->view().live());
  QTest::keyClick(boxes.back(), Qt::Key_End);
  CHECK(stage.window->view().live());
}

TEST_CASE("The frames' CSV tells the culprit of each frame that faults have hurt") {
  Stage stage({.frames = 1000});
  stage.window->hide();
  REQUIRE(waitUntil([&] { return stage.window->watch().history().end() == 1000; }));
  const QString path = stage.folder.path("frames.csv");
  for (QAction* action : stage.window->findChildren<QAction*>())
    if (action->shortcut() == QKeySequence(QKeySequence::Save)) action->trigger();
  answerFile(path);
  REQUIRE(waitUntil([&] { return QFile::exists(path); }));  // the window goes on meanwhile
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray csv = file.readAll();
  CHECK(csv.count('\n') == 1001);
  CHECK(csv.count("Vertices::append") == 2 * 20);  // among all culprits, and as the main one
  CHECK(stateLine(stage.window->watch()).contains(QStringLiteral("due after ")));
}

TEST_CASE("A window asks for one file at a time, and may go while it asks") {
  Stage stage({});
  REQUIRE(waitUntil([&] { return stage.window->watch().history().end() == 200; }));
  const auto save = [&] {
    for (QAction* action : stage.window->findChildren<QAction*>())
      if (action->shortcut() == QKeySequence(QKeySequence::Save)) action->trigger();
  };
  save();
  REQUIRE(QApplication::activeModalWidget() != nullptr);
  CHECK(QApplication::activeModalWidget()->windowModality() == Qt::WindowModal);  // other windows go on
  save();
  CHECK(stage.window->findChildren<QFileDialog*>().size() == 1);
  stage.window.reset();
  CHECK(QApplication::activeModalWidget() == nullptr);
}

TEST_CASE("The summary is copied as it stands, and the picture is saved as PNG and SVG") {
  Stage stage({});
  REQUIRE(stage.settled(200));
  REQUIRE(waitUntil([&] {
    stage.window->copySummary();
    return QApplication::clipboard()->text().contains(QStringLiteral("4 of 200 frames late because of page faults"));
  }));
  std::vector<const char*> names{"frames.png"};
#ifdef QT_SVG_LIB
  names.push_back("frames.svg");
#endif
  for (const char* name : names) {
    REQUIRE(saveFramePicture(stage.find<FrameBars>(), {QStringLiteral("t"), QStringLiteral("s"), {}},
                             stage.folder.path(name)));
    CHECK(QFile(stage.folder.path(name)).size() > 2000);
  }
  CHECK_FALSE(saveFramePicture(stage.find<FrameBars>(), {}, QStringLiteral("/nowhere/at/all.png")));
}

TEST_CASE("Where a permission helps, the window of frames says so beside a button; else it says calmly why not") {
  for (const bool grantable : {true, false}) {
    const TestFolder folder;
    if (grantable) (void)folder.write("faultline-grant", "");
    folder.write("stream", gameStream({.sampled = false}));
    folder.collector("stream stream\nwait");
    SettingsStore settings(folder.path("settings.conf"));
    FramesWindow window(
        {.pid = static_cast<std::uint32_t>(QCoreApplication::applicationPid()), .name = QStringLiteral("game")},
        settings, folder.path());
    window.show();
    REQUIRE(waitUntil([&] { return window.watch().history().end() == 200; }));
    window.select(49);
    QToolButton* setUp = nullptr;
    for (QToolButton* button : window.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Needs a one-time permission · Set up…")) setUp = button;
    REQUIRE(setUp);
    CHECK(waitUntil([&] { return setUp->isVisible() == grantable; }));
    const QString why = window.findChild<CulpritPanel*>()->whyNot();
    if (grantable) {
      CHECK(why == QStringLiteral("Single faults need a one-time permission: Set up…, below."));
    } else {
      CHECK(why.startsWith(QStringLiteral("Single faults and their call stacks are not measured in this way")));
      CHECK(why.endsWith(QStringLiteral("\n\nperf_event_open: EACCES.\nTo enable: Ask root.")));
    }
  }
}

TEST_CASE("Each game has one window, as many games as one likes") {
  const TestFolder folder;
  folder.write("stream", gameStream({}));
  folder.collector("stream stream\nwait");
  SettingsStore settings(folder.path("settings.conf"));
  FrameWindows windows(settings, folder.path());
  const auto open = [&](std::uint32_t pid) {
    return windows.open({.pid = pid, .name = QStringLiteral("game"), .synthetic = true});
  };
  FramesWindow* first = open(1);
  CHECK(first->windowTitle() == QStringLiteral("Frames of game (1)"));
  CHECK(open(1) == first);
  std::vector<FramesWindow*> all;
  for (std::uint32_t pid = 2; pid <= 10; ++pid) all.push_back(open(pid));
  for (FramesWindow* window : all) CHECK(waitUntil([&] { return window->watch().history().end() == 200; }));
  CHECK(first->watch().history().end() == 200);
  const auto told = [&] { return windows.culpritLines(10).contains(QStringLiteral("Vertices::append (mesh.h:44)")); };
  CHECK(waitUntil(told));
  CHECK(windows.culpritLines(11).isEmpty());
}

TEST_CASE("The frames are compared with those of a file that the user names, in a dialog") {
  Stage stage({.frames = 1000});
  REQUIRE(stage.settled(1000));
  const QString before = stage.folder.write("before.faultline", gameStream({.ended = true, .recorded = true}));
  for (QAction* action : stage.window->findChildren<QAction*>())
    if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+D"))) action->trigger();
  answerFile(before);
  REQUIRE(waitUntil([&] { return stage.window->findChild<CompareDialog*>() != nullptr; }));
  const auto& dialog = stage.find<CompareDialog>();
  CHECK(waitUntil([&] { return dialog.report().contains(QStringLiteral("before: 200 frames")); }));
  CHECK(dialog.report().contains(QStringLiteral("after: 1\u202f000 frames")));
}

}  // namespace faultline

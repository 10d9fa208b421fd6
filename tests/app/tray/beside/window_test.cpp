#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/shell/help_pages.h"
#include "app/tray/shell/main_window.h"
#include "tests/app/tray/beside/two_recordings.h"
#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct BothWindow {
  BothWindow() { window.show(); }

  void drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent entered({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &entered);
    QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
  }
  [[nodiscard]] QAction& beside() {
    for (QAction* each : window.findChildren<QAction*>() + window.menuBar()->actions().constFirst()->menu()->actions())
      if (each->shortcut() == QKeySequence(QStringLiteral("Ctrl+Shift+O"))) return *each;
    FAIL("no action");
    throw 0;
  }
  [[nodiscard]] bool both() {
    return waitUntil([&] { return window.beside().read() && window.upToDate(); });
  }

  TestFolder folder;
  QString one = folder.write("one.faultline", streamOf({}));
  QString two = folder.write("two.faultline", streamOf({.snapshots = 200, .begin = 50s}));
  Session session{Settings(), nullptr, folder.path()};
  SettingsStore settings{folder.path("settings.conf")};
  MainWindow window{session, settings};
};

}  // namespace

TEST_CASE("Two files dropped on the window are shown beside each other, and one alone") {
  BothWindow f;
  f.drop({f.one, f.two});
  REQUIRE(f.both());
  CHECK(f.session.viewedPath() == f.one);
  CHECK(f.window.beside().bar()->isVisible());
  f.drop({f.two});
  REQUIRE(waitUntil([&] { return f.session.viewedPath() == f.two; }));
  CHECK_FALSE(f.window.beside().shown());
  CHECK_FALSE(f.window.beside().bar()->isVisible());
}

TEST_CASE("The menu asks for a recording beside the one on show") {
  BothWindow f;
  CHECK_FALSE(f.beside().isEnabled());
  f.window.openRecording(f.one);
  REQUIRE(waitUntil([&] { return f.beside().isEnabled(); }));
  f.beside().trigger();
  answerFile(f.two);
  REQUIRE(f.both());
}

TEST_CASE("The page of keys has those of a second recording") {
  BothWindow f;
  const QString page = helpPage(f.window, Hello{});
  for (const char* const words : {"Beside another recording", "Second recording to the left",
                                  "Second recording far to the right", "Where both recordings differ"})
    CHECK(page.contains(QString::fromLatin1(words)));
}

TEST_CASE("The view ends with the first recording, and what ends after it can be seen, where that has nothing") {
  BothWindow f;
  f.window.openRecording(f.one, f.two);
  REQUIRE(f.both());
  auto& plots = *f.window.findChild<PlotStack*>();
  const auto said = [&plots] {
    plots.rebuildNow();
    return plots.spoken().section(QLatin1Char(';'), 0, 0);
  };
  CHECK(said().contains(QStringLiteral("minor 200/s")));
  QTest::keyClick(&plots, Qt::Key_End);  // at the end of the second
  const QString faults = said();
  INFO(faults.toStdString());
  CHECK(faults.contains(QStringLiteral("minor not available")));
  CHECK(faults.contains(QStringLiteral("two.faultline 200/s")));
}

}  // namespace faultline

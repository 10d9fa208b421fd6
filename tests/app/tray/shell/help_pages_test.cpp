#include "app/tray/shell/help_pages.h"

#include <QAction>
#include <QMenu>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("The page has the quality of each number with its reason, and no text becomes markup") {
  Hello hello;
  hello.process[0] = {Grade::Exact, "read from <stat>", "", 64};
  hello.process[1] = {Grade::Estimated, "guessed", "", 64};
  hello.process[2] = {Grade::Unavailable, "denied", "ask for it", 64};
  const QWidget window;
  const QString page = helpPage(window, hello);
  CHECK(page.contains(QStringLiteral("<b>Minor faults</b> · exact")));
  CHECK(page.contains(QStringLiteral("read from &lt;stat&gt;")));
  CHECK(page.contains(QStringLiteral("<b>Major faults</b> · ≈ estimated")));
  CHECK(page.contains(QStringLiteral("denied<br>To enable: ask for it")));
  hello.quality(SystemMetric::ZeroThreads).how = kNoSuchNumber;
  CHECK(page.contains(QStringLiteral("<b>Zeroing threads</b>")));
  CHECK_FALSE(helpPage(window, hello).contains(QStringLiteral("<b>Zeroing threads</b>")));
}

TEST_CASE("The page has each key of the window's menus, and a place for each number") {
  QWidget window;
  QMenu menu(&window);
  menu.addAction(QStringLiteral("&Pause…"))->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_J));
  menu.addAction(QStringLiteral("Without a key"));
  const QString page = helpPage(window, Hello{});
  CHECK(page.contains(QStringLiteral("<b>Ctrl+J</b>&nbsp;&nbsp;</td><td>Pause</td>")));
  CHECK_FALSE(page.contains(QStringLiteral("Without a key")));
  CHECK(page.contains(QStringLiteral("<a name=\"minor_faults\">")));
}

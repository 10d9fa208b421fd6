// The output for a screen reader, by QAccessible alone.
#include "app/tray/widgets/spoken_value.h"

#include <QAccessible>
#include <QApplication>
#include <QTableView>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/shell/main_window.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

// All accessible names below `interface`, one per line, in a reader's order.
QString dump(QAccessibleInterface* interface, int depth = 0) {
  if (interface == nullptr || !interface->isValid() || interface->state().invisible) return {};
  QString all = interface->text(QAccessible::Name) + QLatin1Char('\n');
  for (int i = 0; depth < 20 && i < interface->childCount(); ++i) all += dump(interface->child(i), depth + 1);
  return all;
}

struct Fixture {
  Fixture() {
    folder.write("stream", testStream(20, false, 1, 100));
    folder.collector("stream stream\nwait");
    window.show();
    session.startLive();
    REQUIRE(waitUntil([&] { return session.monitor().snapshots() == 20; }));
    REQUIRE(waitUntil([&] { return window.upToDate(); }));
    for (int i = 0; i < 4; ++i) QApplication::processEvents();
  }
  QString heard() { return dump(QAccessible::queryAccessibleInterface(&window)); }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  SettingsStore settings{folder.path("settings.conf")};
  MainWindow window{session, settings};
};

}  // namespace

TEST_CASE("A screen reader gets the six figures with their values") {
  Fixture f;
  const QString heard = f.heard();
  INFO(heard.toStdString());
  CHECK(heard.contains(QStringLiteral("minor faults/s: 2.00 k\n")));
  CHECK(heard.contains(QStringLiteral("major faults/s: ")));
  CHECK(heard.contains(QStringLiteral("zeroed/s: not available\n")));
  CHECK(heard.contains(QStringLiteral("in page faults/s: not available\n")));
  CHECK(heard.contains(QStringLiteral("commit: ")));
  CHECK(heard.contains(QStringLiteral("Faultline's own CPU: ")));
}

TEST_CASE("A screen reader gets the present values of the plots") {
  Fixture f;
  auto* plots = QAccessible::queryAccessibleInterface(f.window.findChild<PlotStack*>());
  CHECK(plots->role() == QAccessible::Chart);
  const QString value = plots->text(QAccessible::Value);
  INFO(value.toStdString());
  CHECK(value.contains(QStringLiteral("Faults, minor 2.00 k/s")));
  CHECK(value.contains(QStringLiteral("Commit, all processes ")));
  CHECK(plots->text(QAccessible::Name).endsWith(value));
}

TEST_CASE("A screen reader gets the cost of the selected process, and the state of the measurement") {
  Fixture f;
  f.window.findChild<QTableView*>()->selectRow(0);
  auto& page = *f.window.findChild<SidePage*>();
  REQUIRE(waitUntil([&] { return !page.cost().isEmpty(); }));
  const QString heard = f.heard();
  INFO(heard.toStdString());
  CHECK(heard.contains(QStringLiteral(": worker")));
  CHECK(heard.contains(page.cost()));
  CHECK(heard.contains(QStringLiteral("Live, every")));
}

TEST_CASE("A screen reader gets each cell of the table, also pictures and signs") {
  Fixture f;
  auto* view = f.window.findChild<QTableView*>();
  auto* table = QAccessible::queryAccessibleInterface(view)->tableInterface();
  REQUIRE(table);
  REQUIRE(table->rowCount() >= 1);
  view->setColumnHidden(columnIndex(Column::MajorRate), false);
  QStringList cells;
  for (int column = 0; column < table->columnCount(); ++column) {
    if (view->isColumnHidden(column)) continue;
    cells << table->cellAt(0, column)->text(QAccessible::Name);
    CHECK_FALSE(cells.back().isEmpty());
  }
  INFO(cells.join(QLatin1Char('|')).toStdString());
  CHECK(cells.contains(QStringLiteral("worker")));
  CHECK(cells.contains(QStringLiteral("2.00 k")));
  CHECK(cells.contains(QStringLiteral("not pinned")));
  CHECK(cells.contains(QStringLiteral("not available")));
  CHECK(cells.contains(QStringLiteral("peak 2.00 k per second")));
}

TEST_CASE("A screen reader gets signs as words") {
  CHECK(spokenCell(QStringLiteral("·")) == QStringLiteral("0"));
  CHECK(spokenCell(QStringLiteral("–")) == QStringLiteral("not available"));
  CHECK(spokenCell(QStringLiteral("12.4 k")) == QStringLiteral("12.4 k"));
}

}  // namespace faultline

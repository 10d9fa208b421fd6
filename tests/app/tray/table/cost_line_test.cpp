#include "app/tray/table/cost_line.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/table/row_actions.h"
#include "app/tray/trial/try_dialog.h"
#include "platform/host/processes.h"
#include "tests/app/tray/table/table_stage.h"

namespace faultline {

TEST_CASE("The cost line keeps a process's name after History has dropped it") {
  TableStage f;
  f.table.show();
  f.view().selectRow(0);
  f.table.refresh();
  CostLine& line = *f.table.findChild<CostLine*>();
  REQUIRE(line.text().startsWith(QStringLiteral("game")));
  f.stage.process(9, "helper").values.set(ProcessMetric::ParentPid, std::uint64_t{7});
  f.stage.tick();
  f.stage.exit(7);  // its children live on
  for (std::uint32_t pid = 1000; f.stage.monitor.history().name({7, 1007}) && pid < 200'000;) {
    for (int i = 0; i < 500; ++i) f.stage.exit(pid++);
    f.stage.tick();
  }
  REQUIRE_FALSE(f.stage.monitor.history().name({7, 1007}));
  f.table.refresh();
  REQUIRE(f.stage.monitor.cost({7, 1007}));
  CHECK(line.text().startsWith(QStringLiteral("game")));
}

TEST_CASE("The cost of the selected process and its descendants is shown, also long after its end") {
  TableStage f;
  CostLine& line = *f.table.findChild<CostLine*>();
  const auto said = [&](const char* words) { return line.toolTip().contains(QString::fromUtf8(words)); };
  const auto tick = [&] {
    f.stage.tick();
    f.table.refresh();
    QApplication::processEvents();
  };
  f.table.resize(900, 300);
  f.table.show();
  CHECK_FALSE(line.isVisible());
  f.stage.process(20, "ninja");
  tick();
  f.stage.process(21, "cc1plus").values.set(ProcessMetric::ParentPid, std::uint64_t{20});
  tick();
  f.stage.add(21, ProcessMetric::MinorFaults, 3000);
  f.stage.exit(21);
  tick();
  for (int row = 0; row < f.view().model()->rowCount(); ++row)
    if (f.textAt(row, Column::Process) == QStringLiteral("ninja")) f.view().selectRow(row);
  QApplication::processEvents();
  REQUIRE(line.isVisible());
  CHECK(said("ninja and the process it started (ended): 3\u202f000 page faults"));

  f.stage.exit(20);
  for (int i = 0; i < 100; ++i) tick();
  CHECK(f.view().model()->rowCount() == 2);
  CHECK(line.isVisible());
  CHECK(said("ninja and"));

  f.view().selectRow(0);
  QApplication::processEvents();
  CHECK(said("game: "));
  f.view().clearSelection();
  QApplication::processEvents();
  CHECK_FALSE(line.isVisible());
  f.table.setFollowed(ProcessKey{8, 1008});
  CHECK(said("=1+1: "));
}

TEST_CASE("Remedies can be tried on a process that lives here, from its cost line and from the menu") {
  TableStage f;
  const auto own = static_cast<std::uint32_t>(QCoreApplication::applicationPid());
  const bool known = !commandOf(own).empty();  // not on Windows
  f.stage.process(own, "me");
  f.stage.tick();
  f.table.show();
  auto& button = *f.table.findChild<QToolButton*>(QStringLiteral("try"));
  CHECK_FALSE(button.isVisible());
  const auto offered = [&] {
    QMenu menu;
    f.table.fillMenu(menu);
    const auto actions = menu.actions();
    const auto found = std::ranges::find(actions, QStringLiteral("&Try remedies…"), &QAction::text);
    REQUIRE(found != actions.end());
    CHECK((*found)->isEnabled() == button.isVisible());
    return button.isVisible();
  };
  f.table.choose({own, 1000 + own});
  QCoreApplication::processEvents();
  CHECK(offered() == known);
  if (known) {
    button.click();
    const auto* dialog = f.table.window()->findChild<TryDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->command().contains(QStringLiteral("faultline-cli try -- ")));
  }
  f.table.actions().setSource(QStringLiteral("This is a recording."), false);
  f.table.refresh();
  CHECK_FALSE(offered());
  f.table.actions().setSource({}, false);
  f.stage.exit(own);
  f.stage.tick();
  f.table.refresh();
  CHECK_FALSE(offered());
}

TEST_CASE("The cost line says since when: Faultline's start, or the beginning of a recording") {
  TableStage f;
  f.table.resize(900, 300);
  f.table.show();
  f.view().selectRow(0);
  QApplication::processEvents();
  const CostLine& line = *f.table.findChild<CostLine*>();
  CHECK(line.spoken().endsWith(QStringLiteral(", since Faultline was started")));
  f.table.setReplay(true);
  CHECK(line.spoken().endsWith(QStringLiteral(", since the recording began")));
}

}  // namespace faultline

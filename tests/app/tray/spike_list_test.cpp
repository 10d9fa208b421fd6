#include "app/tray/spike_list.h"

#include <QListView>
#include <QTest>
#include <QToolButton>
#include <catch2/catch_test_macros.hpp>

#include "staged_monitor.h"

namespace faultline {

using namespace Qt::StringLiterals;

TEST_CASE("The list of spikes can be cleared, and that undone, by keys alone") {
  StagedMonitor stage;
  stage.process(7, "game");
  SpikeList list(stage.monitor);
  list.show();
  list.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&list));
  for (int i = 0; i < 20; ++i) stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 100'000);
  stage.tick();
  list.refresh();
  const auto button = [&](const QString& text) -> QToolButton* {
    for (QToolButton* each : list.findChildren<QToolButton*>())
      if (each->text() == text && each->isVisible()) return each;
    return nullptr;
  };
  auto& view = *list.findChild<QListView*>();
  CHECK_FALSE(button(u"Undo clear"_s));
  for (const bool byShortcut : {false, true}) {
    REQUIRE(button(u"Clear"_s));
    CHECK((button(u"Clear"_s)->focusPolicy() & Qt::TabFocus) != 0);
    QTest::keyClick(button(u"Clear"_s), Qt::Key_Space);
    CHECK(view.model()->rowCount() == 0);
    CHECK_FALSE(view.isVisible());
    list.refresh();
    CHECK(view.model()->rowCount() == 0);
    REQUIRE(button(u"Undo clear"_s));
    if (byShortcut) QTest::keyClick(button(u"Undo clear"_s), Qt::Key_Z, Qt::ControlModifier);
    else QTest::keyClick(button(u"Undo clear"_s), Qt::Key_Space);
    CHECK(view.model()->rowCount() == 1);
    CHECK(view.isVisible());
    CHECK_FALSE(button(u"Undo clear"_s));
  }
}

}  // namespace faultline

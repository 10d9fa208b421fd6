#include "app/tray/spikes/list.h"

#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/processes/pins.h"
#include "app/tray/spikes/model.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/spikes/text.h"
#include "tests/app/tray/staged_monitor.h"

namespace faultline {

using namespace Qt::StringLiterals;

namespace {

// Whether the menu has an enabled entry that begins with these words; triggers it.
bool triggerEntry(SpikeList& list, const QString& words) {
  QMenu menu;
  list.fillMenu(menu);
  for (QAction* action : menu.actions())
    if (action->text().remove(u'&').startsWith(words)) {
      if (!action->isEnabled()) return false;
      action->trigger();
      return true;
    }
  return false;
}

}  // namespace

TEST_CASE("Keys alone can clear the list of spikes and undo that") {
  StagedMonitor stage;
  stage.process(7, "game");
  Pins pins;
  SpikeMutes mutes;
  SpikeList list(stage.monitor, pins, mutes);
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

TEST_CASE("The menu of a spike has all actions: show, select its process, pin and mute") {
  StagedMonitor stage;
  stage.process(7, "game");
  Pins pins;
  SpikeMutes mutes;
  SpikeList list(stage.monitor, pins, mutes);
  list.show();
  for (int i = 0; i < 20; ++i) stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 100'000);
  stage.tick();
  list.refresh();
  auto& view = *list.findChild<QListView*>();
  const auto trigger = [&](const QString& words) { return triggerEntry(list, words); };
  CHECK_FALSE(trigger(u"Pin"_s));  // no spike is selected
  view.setCurrentIndex(view.model()->index(0, 0));
  std::optional<ProcessKey> chosen;
  QObject::connect(&list, &SpikeList::processRequested, &list, [&](const ProcessKey& key) { chosen = key; });
  CHECK(trigger(u"Select the process"_s));
  CHECK(chosen == stage.process(7).key);
  CHECK(trigger(u"Pin the process"_s));
  CHECK(pins.colour(stage.process(7).key));
  CHECK(trigger(u"Unpin the process"_s));
  CHECK(trigger(u"Mute all spikes of game"_s));
  CHECK(mutes.has("game"));
  CHECK(view.model()->rowCount() == 0);
  CHECK(trigger(u"List muted programs again"_s));
  CHECK(view.model()->rowCount() == 1);
}

TEST_CASE("Each spike of a repeated one can be shown") {
  StagedMonitor stage;
  stage.process(7, "game");
  Pins pins;
  SpikeMutes mutes;
  SpikeList list(stage.monitor, pins, mutes);
  list.show();
  for (int spikes = 0; spikes < 3; ++spikes) {
    for (int i = 0; i < 40; ++i) stage.tick();
    stage.add(7, ProcessMetric::MinorFaults, 100'000);
    stage.tick();
  }
  for (int i = 0; i < 20; ++i) stage.tick();
  list.refresh();
  auto& view = *list.findChild<QListView*>();
  REQUIRE(view.model()->rowCount() == 1);
  REQUIRE(stage.monitor.spikes().size() == 3);
  view.setCurrentIndex(view.model()->index(0, 0));
  std::vector<std::uint64_t> shown;
  QObject::connect(&list, &SpikeList::activated, &list, [&](const Spike& spike) { shown.push_back(spike.id); });
  QMenu menu;
  list.fillMenu(menu);
  for (QAction* action : menu.actions())
    if (QMenu* group = action->menu())
      for (QAction* each : group->actions()) each->trigger();
  CHECK(shown == std::vector<std::uint64_t>{3, 2, 1});
}

TEST_CASE("A spike of the zeroed list has no process to select or pin, nor a pid in its text") {
  StagedMonitor stage;
  stage.process(7, "game");
  Pins pins;
  SpikeMutes mutes;
  SpikeList list(stage.monitor, pins, mutes);
  list.show();
  std::uint64_t asked = 0;
  stage.system.set(SystemMetric::ZeroedListBytes, 0);
  for (int i = 0; i < 4; ++i) {
    stage.system.set(SystemMetric::DemandZeroFaults, asked += 5'000);
    stage.tick();
  }
  list.refresh();
  auto& view = *list.findChild<QListView*>();
  REQUIRE(view.model()->rowCount() == 1);
  view.setCurrentIndex(view.model()->index(0, 0));
  const QString line = view.currentIndex().data(Qt::DisplayRole).toString();
  CHECK(line.contains(u"zeroed list: at least 15"_s));
  CHECK_FALSE(line.contains(u"pid"_s));
  CHECK_FALSE(triggerEntry(list, u"Select the process"_s));
  CHECK_FALSE(triggerEntry(list, u"Pin the process"_s));
  CHECK(triggerEntry(list, u"Mute all spikes of zeroed list"_s));
  CHECK(view.model()->rowCount() == 0);
}

TEST_CASE("The list has the number of dropped spikes, and dates if it is longer than a day") {
  StagedMonitor stage(2);
  stage.process(7, "game");
  Pins pins;
  SpikeMutes mutes;
  SpikeList list(stage.monitor, pins, mutes);
  list.show();
  const auto burst = [&] {
    for (int i = 0; i < 40; ++i) stage.tick();
    stage.add(7, ProcessMetric::MinorFaults, 100'000);
    stage.tick();
    for (int i = 0; i < 20; ++i) stage.tick();
    list.refresh();
  };
  const auto dropped = [&] {
    for (const QLabel* label : list.findChildren<QLabel*>())
      if (label->isVisible() && label->text().endsWith(u"are listed"_s)) return label->text();
    return QString();
  };
  burst();
  burst();
  CHECK(dropped().isEmpty());
  auto& model = *qobject_cast<SpikeModel*>(list.findChild<QListView*>()->model());
  CHECK_FALSE(model.dated());
  CHECK(spikeTime(model.spike(0), model.dated()).size() == u"12:03:11"_s.size());
  burst();
  CHECK(dropped() == u"2 of 3 spikes are listed"_s);
  stage.time = stage.time + std::chrono::hours(25);
  burst();
  CHECK(model.dated());
  CHECK(spikeTime(model.spike(0), model.dated()).size() == u"11-21 12:03:11"_s.size());
}

}  // namespace faultline
